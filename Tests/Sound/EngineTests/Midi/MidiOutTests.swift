import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// The tracks' notes at the MIDI output, in frames.
@Suite struct MidiOutTests {
    private func score(_ cells: [TestNote], target: Double = 2, bpm: Double = 125) -> Score {
        var score = Score.with(cells, bpm: bpm)
        for track in Track.allCases { score.send(track, target: target) }
        return score
    }

    @Test(arguments: [16, 64, 256, 1024], Track.allCases)
    func `an event and the sound of its note are on the same frame`(period: Int, track: Track) {
        let driver = OfflineDriver.playing(
            score(
                [
                    TestNote(track: track, note: 3, step: 3),
                    TestNote(track: track, note: 5, step: 14, velocity: .normal),
                ],
                bpm: 133.7))
        var (keys, onsets, quiet) = (SentKeys(), [Int64](), Int.max)
        driver.render(frames: 96_000, periods: [period]) { heard in
            keys.accept(heard)
            for (offset, sample) in heard[.track(track)].enumerated() {
                if sample != 0, quiet >= 4000 { onsets.append(heard.startFrame + Int64(offset)) }
                quiet = sample != 0 ? 0 : min(quiet, .max - 1) + 1
            }
        }
        #expect(keys.ons.count == 2 && keys.faults.isEmpty)
        #expect(keys.ons.map(\.frame) == onsets)
        #expect(keys.ons.map(\.velocity) == [96, 64])
    }

    @Test func `channels and keys are those of the table`() {
        let driver = OfflineDriver.playing(score(Track.allCases.map { TestNote(track: $0, note: 8, step: 0) }))
        let keys = driver.sentKeys(frames: 4800)
        #expect(
            keys.ons == [
                .init(frame: 0, isOn: true, channel: 1, key: 68, velocity: 96),
                .init(frame: 0, isOn: true, channel: 2, key: 56, velocity: 96),
                .init(frame: 0, isOn: true, channel: 3, key: 44, velocity: 96),
                .init(frame: 0, isOn: true, channel: 10, key: 46, velocity: 96),
            ])
    }

    /// L - min(0.3 L, 0.15 s) with L = max(0.15 s, 0.95 (1 + k) steps); drums have half a step.
    @Test(arguments: [(300.0, 0), (125, 0), (125, 3), (40, 1)])
    func `a key is released where the voice's release begins`(bpm: Double, sustains: Int) {
        let cells = TestNote.sustained(.melody, 4, count: sustains) + [TestNote(track: .rhythm, note: 0, step: 0)]
        let driver = OfflineDriver.playing(score(cells, bpm: bpm))
        let keys = driver.sentKeys(frames: 140_000)
        let length = max(0.15, 0.95 * Double(1 + sustains) * 15 / bpm)
        let expected = ((length - min(0.3 * length, 0.15)) * 48_000).rounded()
        #expect(abs(Double(keys.offs.first { $0.channel == 1 }!.frame) - expected) <= 1)
        #expect(keys.offs.first { $0.channel == 10 }!.frame == Int64((7.5 / bpm * 48_000).rounded()))
    }

    @Test func `with midi alone the track is silent and its meter shows the velocity`() {
        let driver = OfflineDriver.playing(score([TestNote(track: .bass, note: 1, step: 0)], target: 1))
        let samples = driver.record(frames: 9600)[.track(.bass)]
        #expect(samples.peak == 0)
        #expect(driver.engine.fetchPeak(track: Track.bass.rawValue) == Float(96) / 127)
    }

    @Test func `internal notes are not sent`() {
        let driver = OfflineDriver.playing(score([TestNote(track: .bass, note: 1, step: 0)], target: 0))
        #expect(driver.sentKeys(frames: 9600).events.isEmpty)
    }

    @Test func `if two tracks play the same key, the later owns it`() {
        var score = score(
            TestNote.sustained(.melody, 0, count: 15) + [TestNote(track: .chords, note: 0, step: 4, velocity: .normal)])
        score.parameters[.channel, Track.chords.rawValue] = 1
        // One octave apart: two keys. Drums on the bass's channel share its keys.
        score.parameters[.channel, Track.rhythm.rawValue] = 3
        score.set(TestNote(track: .bass, note: 0, step: 0, velocity: .accent))
        for step in 1...8 { score.set(TestNote(track: .bass, note: 0, step: step, velocity: .sustain)) }
        score.set(TestNote(track: .rhythm, note: 0, step: 4, velocity: .normal))
        let keys = OfflineDriver.playing(score).sentKeys(frames: 150_000)
        #expect(keys.faults.isEmpty)
        let shared = keys.events.filter { $0.channel == 3 && $0.frame < 100_000 }
        #expect(shared.map(\.isOn) == [true, false, true, false])
        #expect(shared.map(\.frame) == [0, 23_040, 23_040, 25_920])
    }

    /// What silences a voice.
    private static let silencers: [(name: String, act: @Sendable (OfflineDriver, Score) -> Void)] = [
        ("stop", { driver, _ in _ = driver.send(.stop) }),
        ("pause", { driver, _ in _ = driver.send(.pause) }),
        ("locate", { driver, _ in _ = driver.send(.locate(step: 20)) }),
        ("the end", { driver, _ in _ = driver.send(.silence) }),
        ("mute", { driver, score in driver.publish(score) { $0.isSilent[0] = true } }),
        ("erase", { driver, score in driver.publish(score) { $0.notes[0][0] = StepNotes() } }),
        ("channel", { driver, score in driver.publish(score) { $0.parameters[.channel, 0] = 7 } }),
        ("target", { driver, score in driver.publish(score) { $0.parameters[.target, 0] = 0 } }),
    ]

    @Test(arguments: Self.silencers.map(\.name))
    func `what silences the voice releases the key, on the same frame`(name: String) {
        let score = score(TestNote.sustained(.melody, 2, count: 20))
        let driver = OfflineDriver.playing(score)
        var keys = driver.sentKeys(frames: 6000)
        #expect(keys.down == [[1, 62]])
        Self.silencers.first { $0.name == name }!.act(driver, score)
        driver.render(frames: 2000, periods: [500]) { keys.accept($0) }
        #expect(keys.down.isEmpty && keys.faults.isEmpty)
        #expect(keys.offs == [.init(frame: 6000, isOn: false, channel: 1, key: 62)])
    }

    @Test func `an early note that is erased before its step is released at once`() {
        var cells = TestNote.sustained(.melody, 2, step: 2, count: 8)
        cells[0].values[.nudge] = -50
        let driver = OfflineDriver.playing(score(cells))
        // Step 2 is on 11520, its note on 8640.
        driver.schedule(.score(score([])), at: 10_000)
        let keys = driver.sentKeys(frames: 24_000)
        #expect(keys.events.map(\.frame) == [8640, 10_000] && keys.down.isEmpty && keys.faults.isEmpty)
    }

    @Test func `a note that is struck again ends first, on the same frame`() {
        let driver = OfflineDriver(score([]))
        _ = driver.send(.audition(track: 0, notes: 1, velocity: 2))
        var keys = driver.sentKeys(frames: 480)
        _ = driver.send(.audition(track: 0, notes: 1, velocity: 1))
        driver.render(frames: 9600) { keys.accept($0) }
        #expect(keys.events.map(\.isOn) == [true, false, true, false] && keys.faults.isEmpty)
        #expect(keys.events.map(\.frame).prefix(3) == [0, 480, 480])
    }

    @Test func `after a change of rate all keys of the used channels are released`() throws {
        let driver = OfflineDriver.playing(score(TestNote.sustained(.bass, 2, count: 20)))
        var keys = driver.sentKeys(frames: 6000)
        try driver.engine.prepare(sampleRate: 44_100)
        driver.render(frames: 512) { keys.accept($0) }
        #expect(keys.others.map(\.event) == [MidiEvent(frame: 0, count: 3, 0xb2, 123, 0)])
        #expect(keys.others.map(\.frame) == [6000] && keys.down.isEmpty && keys.faults.isEmpty)
        // Not every receiver obeys All Notes Off.
        #expect(keys.offs == [.init(frame: 6000, isOn: false, channel: 3, key: keys.ons[0].key)])
    }

    @Test func `after the driver was lost, receivers are sent the ends of what sounded once they are connected again`()
        throws
    {
        let score = score(TestNote.sustained(.bass, 2, count: 20) + TestNote.sustained(.melody, 4, count: 20))
        let driver = OfflineDriver.playing(score)
        let before = driver.sentKeys(frames: 6000)
        #expect(before.down.count == 2)
        // As when JACK is lost twice: a client that nobody was connected to, then one whose connections are restored.
        _ = driver.send(.stop)
        for _ in 0..<2 {
            try driver.engine.prepare(sampleRate: 48_000)
            driver.render(frames: 512) { _ in }
        }
        driver.connectionCount += 1
        let after = driver.sentKeys(frames: 512)
        #expect(Set(after.offs.map { [$0.channel, $0.key] }) == before.down)
        #expect(Set(after.others.map { $0.event.status }) == [0xb0, 0xb2])
        #expect(after.others.allSatisfy { $0.event.first == 123 })
        // Once is enough.
        driver.connectionCount += 1
        let later = driver.sentKeys(frames: 512)
        #expect(later.events.isEmpty && later.others.count == 2)
    }

    @Test func `new connections are sent the ends of what sounds, and All Notes Off`() {
        let driver = OfflineDriver.playing(score(TestNote.sustained(.bass, 2, count: 20)))
        var keys = driver.sentKeys(frames: 6000)
        driver.connectionCount = 1
        driver.render(frames: 90_000) { keys.accept($0) }
        #expect(keys.others.map(\.frame) == [6000])
        // The sounding note gets no other end.
        #expect(keys.events.map(\.isOn) == [true, false] && keys.faults.isEmpty)
        #expect(keys.offs.map(\.frame) == [6000])
    }
}

extension OfflineDriver {
    /// Publishes a changed score.
    fileprivate func publish(_ score: Score, _ change: (inout Score) -> Void) {
        var score = score
        change(&score)
        engine.publish(score)
    }
}
