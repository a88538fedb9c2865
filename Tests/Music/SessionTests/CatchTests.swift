import Engine
import Grid
import Instrument
import Music
import OfflineAudio
import Session
import TestSupport
import Testing

/// Keys that were not recorded are written afterwards.
@Suite struct CatchTests {
    /// An instrument with 16 steps of 120 ms, not armed.
    private func instrument(_ document: Document = Document(), isPlaying: Bool = true) async throws -> Instrument {
        var document = document
        document.set(.tempo, to: 125)
        document.set(.length, to: 16)
        let instrument = await Instrument(document: document)
        await instrument.startAudio()
        if isPlaying { try await instrument.session.perform(.transport(.play), at: .zero) }
        return instrument
    }

    private func key(_ isOn: Bool, _ key: UInt8, channel: UInt8 = 0) -> MidiEvent {
        MidiEvent(frame: 0, count: 3, (isOn ? 0x90 : 0x80) | channel, key, 100)
    }

    /// A moment of step s of the song.
    private func step(_ step: Int, _ more: Int = 5) -> Duration { .milliseconds(120 * step + more) }

    private func green(_ instrument: Instrument, at now: Duration) async -> Bool {
        await instrument.session.frame(at: now).value[35, 0] == Color(0x335533)
    }

    @Test func `the last whole pass is written, with the keys of all tracks, as one undo step`() async throws {
        var document = Document()
        document.set(.arm, on: .melody, to: .toggle(false))
        let instrument = try await instrument(document)
        // Pass 1: a kick that is not caught. Pass 2: melody, bass and snare. Pass 3: a kick.
        for (at, drum) in [(4, UInt8(36)), (21, 38), (35, 36)] {
            instrument.receive(key(true, drum, channel: 9), at: step(at))
        }
        for (on, off, note, channel) in [(18, 21, UInt8(60), UInt8(0)), (24, 25, 48, 2)] {
            instrument.receive(key(true, note, channel: channel), at: step(on))
            instrument.receive(key(false, note, channel: channel), at: step(off))
        }
        await instrument.play(from: .zero, to: step(15))
        // No pass is whole yet.
        #expect(await !green(instrument, at: step(15)))
        await instrument.play(from: step(15, 0) + .milliseconds(0), to: step(36, 0))
        #expect(await green(instrument, at: step(36)))
        #expect(await instrument.session.catchKeys(at: step(36)) == 3)
        var document2 = await instrument.session.document
        let cells = document2.pattern.cells
        #expect(cells.count == 5)
        #expect(cells[.melody, 0, 2] == .accent && cells[.melody, 0, 3] == .sustain && cells[.melody, 0, 4] == .sustain)
        #expect(cells[.bass, 0, 8] == .accent && cells[.rhythm, Drum.snare.rawValue, 5] == .accent)
        #expect(document2.history.undoCount == 1)
        document2.apply(.undo)
        #expect(document2.pattern.cells.isEmpty)
        #expect(await !green(instrument, at: step(36)))
        #expect(await instrument.session.catchKeys(at: step(36)) == 0)
    }

    @Test func `what was recorded is not caught`() async throws {
        let instrument = try await instrument()
        try await instrument.session.perform(.transport(.record(true)), at: .zero)
        instrument.receive(key(true, 36, channel: 9), at: step(2))
        await instrument.play(from: .zero, to: step(18, 0))
        #expect(await instrument.session.document.pattern.cells.count == 1)
        #expect(await !green(instrument, at: step(18)))
        #expect(await instrument.session.catchKeys(at: step(18)) == 0)
    }

    @Test func `while the music stands still, the phrase since the last pause of 2 s is written from step 0 on`()
        async throws
    {
        let instrument = try await instrument(isPlaying: false)
        await instrument.session.audioChanged(
            to: AudioState(status: .running, rate: 48000, period: 480), connections: ["midi_in": ["keys:out"]],
            at: .zero)
        // A kick, and 2.1 s later the phrase: a held note, a snare on step 3, and one beyond the length.
        let start = 2600
        for (at, drum) in [(500, UInt8(36)), (start + 3 * 120 - 40, 38), (start + 16 * 120, 36)] {
            instrument.receive(key(true, drum, channel: 9), at: .milliseconds(at))
        }
        instrument.receive(key(true, 64), at: .milliseconds(start))
        instrument.receive(key(false, 64), at: .milliseconds(start + 240))
        await instrument.play(from: .zero, to: .milliseconds(1000))
        #expect(await green(instrument, at: .milliseconds(1000)))
        await instrument.play(from: .milliseconds(1000), to: .milliseconds(6000))
        #expect(await instrument.session.catchKeys(at: .milliseconds(6000)) == 2)
        let document = await instrument.session.document
        #expect(document.pattern.cells.count == 3 && document.history.undoCount == 1)
        #expect(document.pattern[.melody, 4, 0] == .accent && document.pattern[.melody, 4, 1] == .sustain)
        #expect(document.pattern[.rhythm, Drum.snare.rawValue, 3] == .accent)
        #expect(await !green(instrument, at: .milliseconds(6000)))
    }

    @Test func `a key that is still held when the music stands still has lasted until it is caught`() async throws {
        let instrument = try await instrument(isPlaying: false)
        instrument.receive(key(true, 60), at: .milliseconds(100))
        await instrument.play(from: .zero, to: .milliseconds(100 + 4 * 120))
        #expect(await instrument.session.catchKeys(at: .milliseconds(100 + 4 * 120)) == 1)
        let cells = await instrument.session.document.pattern.cells
        #expect(cells.count == 4 && cells[.melody, 0, 3] == .sustain)
    }

    @Test func `the last whole pass can be caught after the music was stopped, until keys are played`() async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: step(2))
        await instrument.play(from: .zero, to: step(20, 0))
        try await instrument.session.perform(.transport(.stop), at: step(20, 0))
        await instrument.play(from: step(20, 0), to: step(30, 0))
        #expect(await green(instrument, at: step(30)))
        #expect(await instrument.session.catchKeys(at: step(30)) == 1)
        #expect(await instrument.session.document.pattern[.rhythm, Drum.kick.rawValue, 2] == .accent)
    }

    @Test func `what was played before another pattern was loaded is not caught`() async throws {
        let instrument = try await instrument()
        instrument.receive(key(true, 36, channel: 9), at: step(2))
        await instrument.play(from: .zero, to: step(18, 0))
        var pattern = await instrument.session.document.pattern
        pattern.bpm = 100
        try await instrument.session.perform(.change([.replacePattern(pattern)]), at: step(18, 0))
        #expect(await instrument.session.catchKeys(at: step(18, 0)) == 0)
        #expect(await instrument.session.document.pattern.cells.isEmpty)
    }

    @Test func `after a start in the middle of the loop the first whole pass is the next one`() async throws {
        let instrument = try await instrument(isPlaying: false)
        try await instrument.session.perform(.transport(.locate(8)), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        instrument.receive(key(true, 36, channel: 9), at: step(2))
        await instrument.play(from: .zero, to: step(12, 0))
        #expect(await instrument.session.catchKeys(at: step(12, 0)) == 0)
    }

    @Test func `a hold on the grid catches`() async throws {
        let instrument = try await instrument(isPlaying: false)
        instrument.receive(key(true, 36, channel: 9), at: .milliseconds(100))
        await instrument.play(from: .zero, to: .milliseconds(500))
        let session = instrument.session
        _ = try await session.touch(
            Touch(id: 1, phase: .down, x: 35.5, y: 0.5), by: instrument.finger, at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(1200))
        #expect(await session.document.pattern[.rhythm, Drum.kick.rawValue, 0] == .accent)
        let texts = await session.fetchEvents().compactMap { event in
            if case .tooltip(let tooltip, _) = event { tooltip.text } else { nil }
        }
        #expect(texts == ["CATCH"])
    }

    /// Each pass with a phrase is followed by one with other keys, which are neither recorded nor caught.
    @Test(arguments: 0..<repetitions("PIXELBOOP_PHRASES", 2, long: 20))
    func `catch writes what one armed pass would have`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(1000 + seed))
        var written = 0
        for _ in 0..<20 {
            let players = try await PhrasePlayers(&random)
            for phrase in 0..<25 {
                let (recorded, caught) = try await players.play(phrase: phrase, &random)
                let isEqual = recorded == caught
                try #require(isEqual, "seed \(seed)")
                written += caught.cells.count
            }
        }
        #expect(written > 5000)
    }
}

/// Two muted instruments that get the same keys: one is armed while phrases are played, the other catches them.
private final class PhrasePlayers {
    private static let rate = 8000.0

    private struct Player {
        let engine: Engine
        let session: Session
    }

    private let recording: Player
    private let catching: Player
    private let document: Document
    private let stepFrames: Double
    private var frame: Int64 = 0
    private var events: [(frame: Int64, event: MidiEvent)] = []
    private let buffers = PeriodBuffers()

    init(_ random: inout SeededGenerator) async throws {
        var pattern = Pattern()
        pattern.bpm = Double(Int.random(in: 150...300, using: &random))
        pattern.length = [8, 12, 16].randomElement(using: &random)!
        pattern.swing = [0.5, 0.5, 0.62, 0.75].randomElement(using: &random)!
        for track in Track.allCases {
            var slot = SlotNotes()
            if Bool.random(using: &random) { slot.length = .random(in: 1...32, using: &random) }
            if Bool.random(using: &random) {
                slot.speed = [.half, .threeQuarters, .threeHalves, .double].randomElement(using: &random)!
            }
            for _ in 0..<4 {
                slot[.random(in: 0..<32, using: &random)][.random(in: 0..<12, using: &random)] =
                    [.normal, .accent, .sustain].randomElement(using: &random)!
            }
            pattern[track] = slot
        }
        var document = Document(pattern: pattern)
        for track in Track.allCases {
            document.set(.mute, on: track, to: .toggle(true))
            if Bool.random(using: &random) { document.set(.dynamics, on: track, to: .choice("full")) }
        }
        self.document = document
        stepFrames = Self.rate * 15 / pattern.bpm
        recording = try await Self.player(document)
        catching = try await Self.player(document)
    }

    private static func player(_ document: Document) async throws -> Player {
        let engine = Engine(score: Score(document))
        let session = Session(executor: CallersExecutor(), engine: engine, document: document)
        try engine.prepare(sampleRate: rate)
        await session.setWatched(true)
        await session.audioChanged(to: AudioState(status: .running, rate: Int(rate), period: 1024), at: .zero)
        try await session.perform(.transport(.play), at: .zero)
        return Player(engine: engine, session: session)
    }

    /// Plays a pass with a phrase and one with other keys; returns what the one has recorded and the other caught.
    func play(phrase: Int, _ random: inout SeededGenerator) async throws -> (recorded: Pattern, caught: Pattern) {
        let length = document.pattern.length
        let start = Int64(2 * phrase * length)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            addKey(at: .random(in: -0.2...Double(length), using: &random), inPassFrom: start, &random)
        }
        let middle = Int64(Double(start + Int64(length)) * stepFrames + Double(length) * stepFrames / 2)
        let end = Int64(Double(start + 2 * Int64(length)) * stepFrames - stepFrames)
        try await arm(true)
        try await render(to: middle, &random)
        try await arm(false)
        let now = now
        _ = await catching.session.catchKeys(at: now)
        addOtherKeys(from: middle + 10, to: end - 10, &random)
        try await render(to: end, &random)
        return (await recording.session.document.pattern, await catching.session.document.pattern)
    }

    private var now: Duration { .microseconds(Int64(Double(frame) * 1e6 / Self.rate)) }

    private func arm(_ isOn: Bool) async throws {
        try await recording.session.perform(.transport(.record(isOn)), at: now)
    }

    /// Adds a key that is released before the following pass's middle, if its step belongs to the pass.
    ///
    /// - Parameter position: After the pass's start, in steps of the whole.
    private func addKey(at position: Double, inPassFrom start: Int64, _ random: inout SeededGenerator) {
        let length = document.pattern.length
        let track = Track.allCases.randomElement(using: &random)!
        let loop = Loop(length: length)
        let time = document.pattern[track].time(in: loop)
        let songPosition = Double(start) + position
        let first = max(frame + 20, Int64(songPosition * stepFrames))
        let grid = SongGrid(swing: document.pattern.swing, loop: loop)
        let count = grid.nearestCount(of: time, to: Double(first) / stepFrames)
        guard loop.passStart(at: time.place(of: count).songStep) == start else { return }
        let last = Int64((Double(start) + Double(length) * 1.45) * stepFrames)
        let end = min(last, first + Int64(.random(in: 0.1...6, using: &random) * stepFrames))
        guard end > first else { return }
        add(track, from: first, to: end, &random)
    }

    private func addOtherKeys(from first: Int64, to last: Int64, _ random: inout SeededGenerator) {
        for _ in 0..<2 {
            let from = Int64.random(in: first..<(first + last) / 2, using: &random)
            add(
                Track.allCases.randomElement(using: &random)!, from: from,
                to: .random(in: from + 1..<last, using: &random),
                &random)
        }
    }

    private func add(_ track: Track, from first: Int64, to last: Int64, _ random: inout SeededGenerator) {
        let channel: UInt8 = [0, 1, 2, 9][track.rawValue]
        let key = UInt8.random(in: track == .rhythm ? 35...59 : 36...71, using: &random)
        let velocity = UInt8.random(in: 1...127, using: &random)
        events.append((first, MidiEvent(frame: 0, count: 3, 0x90 | channel, key, velocity)))
        events.append((last, MidiEvent(frame: 0, count: 3, 0x80 | channel, key, 0)))
    }

    private func render(to end: Int64, _ random: inout SeededGenerator) async throws {
        events.sort { $0.frame < $1.frame }
        while frame < end {
            let count = min(Int(end - frame), .random(in: 200...1024, using: &random))
            let due = events.prefix { $0.frame < frame + Int64(count) }
            let start = now
            for player in [recording, catching] {
                buffers.midi(of: .midiIn).clear()
                for (place, event) in due {
                    var event = event
                    event.frame = Int32(place - frame)
                    buffers.midi(of: .midiIn).append(event)
                }
                let usecs = UInt64(start / .microseconds(1))
                _ = player.engine.render(
                    RtCycle(
                        frameCount: count, startFrame: frame, startUsecs: usecs, usecsPerFrame: 1e6 / Self.rate,
                        nowUsecs: usecs),
                    buffers.ports)
            }
            events.removeFirst(due.count)
            frame += Int64(count)
            for player in [recording, catching] { await player.session.advance(to: now) }
        }
    }
}
