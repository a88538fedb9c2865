import Engine
import Instrument
import Music
import OfflineAudio

/// Everything that reaches the engine's step: what is published and sent, messages, other clocks, and cycles of any length at
/// any time. All that sounds is recorded, and a replay of what was recorded is the same to the bit.
///
/// An input is a series of events of four bytes: the kind, and three for the details.
struct IntakeTarget: FuzzTarget {
    /// A longer input tells nothing new.
    private static let longest = 300

    func run(_ input: UnsafeRawBufferPointer) {
        var cursor = InputCursor(input)
        var player = IntakePlayer()
        for _ in 0..<Self.longest where !cursor.isAtEnd { player.play(&cursor) }
        player.instrument.checkTakes()
    }
}

/// Plays the events of one input.
private struct IntakePlayer {
    let instrument: KeptInstrument

    // What is published.
    private var document: Document
    private var builder = ScoreBuilder()
    private var source: ScoreSource
    private var launchNumber: Int64 = 0
    private var news = TimelineNews()
    private var punchIns = PunchIns()

    // The driver.
    private var frame: Int64 = 0
    private var messages: [MidiEvent] = []
    private var outside = OutsidePosition()
    /// Whether the engine's requests move the transport outside.
    private var obeys = false
    private var connectionCount: Int32 = 0
    private var latencies = (playback: 0, midi: 0, clock: 0)
    private var countsGaps = true

    private static let usecsPerFrame = 1e6 / KeptInstrument.sampleRate

    init() {
        document = Document(pattern: .forIntakes)
        source = ScoreSource(document)
        instrument = KeptInstrument(source)
    }

    mutating func play(_ cursor: inout InputCursor) {
        let (kind, first, second, third) = (cursor.byte(), cursor.byte(), cursor.byte(), cursor.byte())
        switch kind % 20 {
        case 0...4: render(first, times: second, jitter: third)
        case 5: frame += Int64(first) * Int64(second)
        case 6: send(first, second)
        case 7: send(.audition(track: Int32(first % 4), notes: UInt16(second) << 4, velocity: 1 + third % 2))
        case 8: press(first, second, velocity: third)
        case 9, 10: receive(at: kind / 20, first, second, third)
        case 11: set(first, second, to: third)
        case 12: write(first, second, third, with: kind / 20)
        case 13: launch(first, second, third)
        case 14: edit(first, second)
        case 15: follow(first, second, third)
        case 16: moveOutside(first, second, third)
        case 17: punch(first, second, third)
        case 18: changeDriver(first, second, third)
        default: rest(first)
        }
        if (11...14).contains(kind % 20) { publish() }
    }

    // MARK: Cycles

    /// Renders up to 16 cycles.
    private mutating func render(_ length: UInt8, times: UInt8, jitter: UInt8) {
        let count = [1, 16, 64, 100, 256, 1000, 1024, 3 + Int(length)][Int(length % 8)]
        for turn in 0...Int(times % 16) { cycle(count, jitter: turn % 2 == 0 ? Int64(jitter) * 4 : 0) }
    }

    private mutating func cycle(_ count: Int, jitter: Int64 = 0) {
        if outside.isOurs { outside.bar = instrument.engine.realtime.publishBar(at: outside.frame) }
        let usecs = UInt64(Int64(Double(frame) * Self.usecsPerFrame) + jitter)
        let cycle = RtCycle(
            frameCount: count, startFrame: frame, startUsecs: usecs, usecsPerFrame: Self.usecsPerFrame, nowUsecs: usecs,
            outside: outside, connectionCount: connectionCount, playbackLatency: latencies.playback,
            midiOutLatency: latencies.midi, clockOutLatency: latencies.clock, countsGaps: countsGaps)
        for index in messages.indices { messages[index].frame = min(messages[index].frame, Int32(count - 1)) }
        let request = instrument.render(cycle, messages)
        messages = []
        frame += Int64(count)
        outside = outside.later(by: count)
        guard obeys else { return }
        if request.start || request.stop { outside.isRolling = request.start }
        if let place = request.frame { outside.frame = place }
    }

    /// Lets everything end, so that another take may begin.
    private mutating func rest(_ how: UInt8) {
        if how % 4 == 0 { document.set(.syncSource, to: .choice(SyncSource.own)) }
        publish()
        cycle(64)
        if how % 8 != 7 { _ = instrument.engine.send(.stop, at: 0) }
        for _ in 0..<31 { cycle(8000) }
    }

    // MARK: What is sent

    private func send(_ command: RtCommand) { _ = instrument.engine.send(command, at: usecs) }

    private var usecs: UInt64 { UInt64(Double(frame) * Self.usecsPerFrame) }

    private func send(_ which: UInt8, _ detail: UInt8) {
        let commands: [RtCommand] = [
            .play, .play, .pause, .stop, .finish, .locate(step: Int32(detail % 32)), .suspend,
            .restore(PlayState.allCases[Int(detail) % 3], SongStep(Int64(detail), in: Loop(length: 16))),
            .record(detail % 2 == 0), .releaseKeys, .silence,
        ]
        send(commands[Int(which) % commands.count])
    }

    private func press(_ hand: UInt8, _ key: UInt8, velocity: UInt8) {
        let key = RtKey(owner: 1 + Int32(hand >> 6), track: hand % 4, key: key % 128, velocity: velocity % 128)
        _ = instrument.engine.send(key, at: usecs)
    }

    /// A message of the MIDI input in the next cycle, not before the last one.
    private mutating func receive(at place: UInt8, _ status: UInt8, _ first: UInt8, _ second: UInt8) {
        let frame = max(messages.last?.frame ?? 0, Int32(place) * 16)
        messages.append(MidiEvent(frame: frame, count: 1 + status % 3, status, first, second))
    }

    // MARK: What is published

    private mutating func publish() {
        let launches = source.launches
        let switches = (source.isFilling, source.tempoRevision, source.patternRevision)
        source = ScoreSource(document)
        for track in 0..<Track.allCases.count {
            let playing = source.launches[track].playing
            source.launches[track] = launches[track]
            source.launches[track].playing = playing
        }
        (source.isFilling, source.tempoRevision, source.patternRevision) = switches
        instrument.publish(builder.score(of: source), of: source)
    }

    private mutating func set(_ place: UInt8, _ which: UInt8, to position: UInt8) {
        let track = place % 5 == 4 ? nil : Track.allCases[Int(place % 5)]
        let parameters = track.map { Parameter.of($0) } ?? Parameter.ofWhole
        let parameter = parameters[Int(which) % parameters.count]
        document.set(parameter, on: track, to: parameter.row.kind(on: track).value(atController: Int(position % 128)))
        if parameter == .tempo { source.tempoRevision += 1 }
    }

    /// Writes a note with one of its values, or a point of a motion, into the slot that plays.
    private mutating func write(_ place: UInt8, _ step: UInt8, _ number: UInt8, with kind: UInt8) {
        let track = Track.allCases[Int(place % 4)]
        var slot = document.pattern[track]
        switch kind {
        case 10: slot.length = number % 33 == 0 ? nil : Int(number % 33)
        case 11: slot.speed = Speed.allCases[Int(number) % Speed.allCases.count]
        case 12:
            let parameter = Parameter.movable[Int(place >> 2) % Parameter.movable.count]
            let value = parameter.row.kind(on: track).value(atController: Int(number % 128)).number
            slot.motions[parameter, Int(step % 32)] = value
        default:
            let value = NoteValue.allCases[Int(kind) % NoteValue.allCases.count]
            let note = Note(Velocity(rawValue: step >> 5 & 3)!, [value: Int(Int8(bitPattern: number))])
            slot[Int(step % 32)][whole: Int(place >> 2) % Track.noteCount] = note
        }
        document.apply(.edit([document.pattern.playing[track]: slot]))
    }

    private mutating func launch(_ track: UInt8, _ slots: UInt8, _ how: UInt8) {
        launchNumber += 1 << 32
        let chain = (0...Int(how % 3)).map { Int(slots) >> (2 * $0) & 3 }
        source.launches[Int(track % 4)].queue(
            TrackLaunches(chain, LaunchMoment.allCases[Int(how >> 4) % LaunchMoment.allCases.count]),
            number: launchNumber)
    }

    private mutating func edit(_ which: UInt8, _ slot: UInt8) {
        switch which % 5 {
        case 0: source.isFilling.toggle()
        case 1: document.apply(.undo)
        case 2: document.apply(.launch([Slot(Track.allCases[Int(slot % 4)], Int(slot >> 4) % Slot.count)]))
        case 3:
            document.apply(.replacePattern(.forIntakes))
            source.patternRevision += 1
        default: document.apply(.clear(document.pattern))
        }
    }

    private mutating func follow(_ beat: UInt8, _ tempo: UInt8, _ how: UInt8) {
        if how % 8 == 7 {
            news.timeline = nil
        } else {
            let isPlaying: [Bool?] = [true, false, nil]
            news.timeline = Timeline(
                beat: Double(Int8(bitPattern: beat)) / 4, usecs: Int64(usecs), bpm: 10 + Double(tempo) * 3,
                isPlaying: isPlaying[Int(how) % 3],
                playingUsecs: how & 8 == 0 ? nil : Int64(usecs) + Int64(beat) * 1000,
                quantum: how & 16 == 0 ? nil : 1 + Double(tempo % 8))
        }
        if how & 32 != 0 { news.holder += 1 }
        if how & 64 != 0 { news.orderCount += 1 }
        news.tempoRevision = source.tempoRevision
        instrument.follow(news)
    }

    private mutating func punch(_ which: UInt8, _ amount: UInt8, _ tracks: UInt8) {
        let effect = PunchEffect.allCases[Int(which) % PunchEffect.allCases.count]
        if which & 16 != 0 { punchIns[effect].number += 1 }
        punchIns[effect].isHeld = which & 32 != 0
        punchIns[effect].amount = Double(amount) / 255
        for track in 0..<Track.allCases.count { punchIns[effect].tracks[track] = tracks >> track & 1 == 1 }
        instrument.engine.publish(punchIns)
    }

    // MARK: The driver

    /// JACK's transport, with whatever a timebase master may publish.
    private mutating func moveOutside(_ which: UInt8, _ first: UInt8, _ second: UInt8) {
        let numbers = [0, 1, 4, 120, 1920, 0.5, -1, 1e9, 1e300, .infinity, .nan]
        let number = numbers[Int(first) % numbers.count]
        switch which % 8 {
        case 0: outside.isRolling.toggle()
        case 1: outside.frame = Int64(first) << 8 | Int64(second)
        case 2: outside.isOurs.toggle()
        case 3: obeys.toggle()
        case 4: outside.bar = second % 4 == 0 ? nil : BarPosition(bpm: 20 + 2 * Double(first))
        case 5: outside.bar?.tick = number
        default:
            let fields: [WritableKeyPath<BarPosition, Double>] = [\.bpm, \.ticksPerBeat, \.beatsPerBar, \.barStartTick]
            outside.bar?[keyPath: fields[Int(second) % fields.count]] = number
        }
    }

    private mutating func changeDriver(_ which: UInt8, _ first: UInt8, _ second: UInt8) {
        switch which % 7 {
        case 0: connectionCount += 1
        case 1: latencies.playback = Int(first) * Int(second)
        case 2: latencies.midi = Int(first) * 4
        case 3: latencies.clock = Int(first) * 4
        case 4: countsGaps.toggle()
        case 5: instrument.prepare()
        default:
            instrument.publish(first % 4 == 0 ? nil : SampleKit(startingWith: first, second))
            document.set(.kit, on: .rhythm, to: .choice("Dust"))
            publish()
        }
    }
}

extension Pattern {
    /// Something to play on all tracks.
    fileprivate static var forIntakes: Pattern {
        var pattern = Pattern()
        (pattern.bpm, pattern.length) = (240, 16)
        for track in Track.allCases {
            for step in stride(from: track.rawValue, to: 16, by: 3) { pattern[track, 4, step] = .accent }
        }
        return pattern
    }
}

extension SampleKit {
    /// A few samples for two drums.
    fileprivate convenience init(startingWith first: UInt8, _ second: UInt8) {
        var samples = [[Float]?](repeating: nil, count: Drum.allCases.count)
        samples[Int(first) % samples.count] = [1, 0.5, -Float(second) / 255]
        samples[Int(second) % samples.count] = [Float](repeating: 0.25, count: 1 + Int(first))
        self.init(sampleRate: KeptInstrument.sampleRate, samples: samples, places: Array(repeating: -0.5, count: 12))
    }
}
