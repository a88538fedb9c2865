import Engine
import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport

/// Everything that can happen to an engine, at random: the same for the same seed.
struct RandomSession {
    private(set) var driver: OfflineDriver
    let transport: SharedTransportModel
    private(set) var score: Score
    var random: SeededGenerator
    private(set) var kit: SampleKit?
    private var punchIns = PunchIns()
    /// Called with every score, timeline and kit, and its number.
    var onPublish: (Published) -> Void = { _ in }

    private var clockTime = 0.0
    private var clockBpm = 120.0
    private var isTicking = false
    private var launchNumber: Int64 = 0

    /// Something that was published.
    enum Published {
        case score(UInt, Score)
        case timeline(UInt, TimelineNews)
        case kit(Int, SampleKit?)
    }

    init(seed: UInt64, _ engine: (Score) -> Engine = { Engine(score: $0) }) {
        random = SeededGenerator(seed: seed)
        score = .random(using: &random)
        driver = OfflineDriver(engine(score))
        transport = SharedTransportModel(driver)
    }

    /// A session with a score, in which only what is asked for happens.
    init(_ score: Score, _ engine: (Score) -> Engine = { Engine(score: $0) }) {
        random = SeededGenerator(seed: 1)
        self.score = score
        driver = OfflineDriver(engine(score))
        transport = SharedTransportModel(driver)
    }

    /// Another engine goes on.
    mutating func replace(_ engine: Engine) {
        let old = driver
        driver = OfflineDriver(engine)
        driver.skip(Int(old.frame))
        driver.connectionCount = old.connectionCount
        driver.playbackLatency = old.playbackLatency
        driver.midiOutLatency = old.midiOutLatency
        driver.countsGaps = old.countsGaps
        transport.attach(driver)
    }

    private var usecs: UInt64 { UInt64(Double(driver.frame) * 1e6 / driver.sampleRate) }

    mutating func publish() {
        onPublish(.score(driver.engine.publish(score), score))
    }

    mutating func publish(_ score: Score) {
        self.score = score
        publish()
    }

    mutating func act() {
        switch Int.random(in: 0..<21, using: &random) {
        case 0, 1: score.turnKnobs(using: &random)
        case 2: score = .random(using: &random)
        case 3, 4, 5: _ = driver.send(.play)
        case 6:
            let commands: [RtCommand] = [.stop, .pause, .locate(step: 9), .finish, .suspend, .record(true)]
            _ = driver.send(commands.randomElement(using: &random)!)
        case 7, 8: strike()
        case 9, 10: press()
        case 11: queueLaunch()
        case 12: score.isFilling.toggle()
        case 13: actOnSources()
        case 14: actOnJack()
        case 15: sendClock()
        case 16: skip()
        case 17: changeDriver()
        case 18: publishKit()
        case 19: punch()
        default: pressPrograms()
        }
        publish()
    }

    private mutating func strike() {
        let track = Int32.random(in: 0..<4, using: &random)
        let notes = UInt16.random(in: 1..<4096, using: &random) & UInt16.random(in: 1..<4096, using: &random)
        _ = driver.send(.audition(track: track, notes: notes, velocity: .random(in: 1...2, using: &random)))
    }

    /// Some messages of the MIDI input within the next 500 frames.
    private mutating func press() {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let frame = driver.frame + .random(in: 0...500, using: &random)
            let channel = UInt8.random(in: 0..<5, using: &random)
            let status = [0x80, 0x90, 0x90, 0xb0, 0xe0, 0xd0].randomElement(using: &random)! as UInt8
            let isController = status == 0xb0
            let first =
                isController
                ? [1, 64, 64, 121, 123].randomElement(using: &random)! : UInt8.random(in: 36...72, using: &random)
            driver.receive(
                MidiEvent(
                    frame: 0, count: status == 0xd0 ? 2 : 3, status | channel, first,
                    .random(in: 0..<128, using: &random)), at: frame)
        }
    }

    private mutating func pressPrograms() {
        let key = RtKey(
            owner: .random(in: 1...2, using: &random), track: .random(in: 0..<4, using: &random),
            key: .random(in: 36...72, using: &random), velocity: Bool.random(using: &random) ? 0 : 100)
        _ = driver.engine.send(key, at: usecs)
    }

    private mutating func punch() {
        let effect = [PunchEffect.stutter, .filter, .brake, .throw].randomElement(using: &random)!
        if Bool.random(using: &random) {
            punchIns[effect].number += 1
            punchIns[effect].isHeld = true
            for track in 0..<4 { punchIns[effect].tracks[track] = .random(using: &random) }
        } else {
            punchIns[effect].isHeld = false
        }
        punchIns[effect].amount = .random(in: 0...1, using: &random)
        driver.engine.publish(punchIns)
    }

    private mutating func queueLaunch() {
        launchNumber += 1 << 32
        let slots = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<3, using: &random) }
        score.launches[Int.random(in: 0..<4, using: &random)].queue(
            TrackLaunches(slots, Bool.random(using: &random) ? .queued : .now, isPlaying: false), number: launchNumber)
    }

    private mutating func actOnSources() {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: score.sync.source = [.own, .jack, .midi, .timeline, .automatic].randomElement(using: &random)!
        case 1: score.sync.leadsMidi.toggle()
        case 2: score.sync.leadsJack.toggle()
        case 3: score.sync.compensatesLatency.toggle()
        default: publishTimeline()
        }
        transport.isOurs = score.sync.leadsJack && transport.master == nil
    }

    private mutating func publishTimeline() {
        let timeline = Timeline(
            beat: .random(in: -20...20, using: &random), usecs: Int64(usecs),
            bpm: .random(in: 40...300, using: &random),
            isPlaying: [true, false, nil].randomElement(using: &random)!,
            playingUsecs: Int64(usecs) + .random(in: -100_000...100_000, using: &random))
        var news = TimelineNews()
        news.timeline = Bool.random(using: &random) ? timeline : nil
        news.orderCount = .random(in: 0...3, using: &random)
        onPublish(.timeline(driver.engine.follow(news), news))
    }

    private mutating func actOnJack() {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: transport.start()
        case 1: transport.stop()
        case 2: transport.locate(.random(in: 0...400_000, using: &random))
        default:
            let bpm = Double.random(in: 40...300, using: &random)
            transport.master = Bool.random(using: &random) ? { .ticking(max(0, $0), bpm: bpm) } : nil
        }
    }

    private mutating func sendClock() {
        clockBpm = .random(in: 60...300, using: &random)
        isTicking = Int.random(in: 0..<3, using: &random) != 0
        guard isTicking else { return }
        let status = [0xfa, 0xfb, 0xfc].randomElement(using: &random)! as UInt8
        driver.receive(MidiEvent(frame: 0, status), at: driver.frame + 10)
    }

    private mutating func skip() {
        let count = Int.random(in: 1...60_000, using: &random)
        driver.countsGaps = Int.random(in: 0..<4, using: &random) != 0
        driver.skip(count)
        transport.skip(count)
    }

    private mutating func changeDriver() {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: driver.connectionCount += 1
        case 1: driver.playbackLatency = .random(in: 0...2000, using: &random)
        default: driver.midiOutLatency = .random(in: 0...1000, using: &random)
        }
    }

    private mutating func publishKit() {
        kit = Bool.random(using: &random) ? .random(using: &random) : nil
        onPublish(.kit(driver.engine.publish(kit), kit))
    }

    /// Renders frames in random periods.
    mutating func render(_ frames: Int, _ sink: (OfflinePeriod) -> Void = { _ in }) {
        tick(for: frames)
        let periods = (0..<5).map { _ in
            [64, 256, 1000, 17, .random(in: 1...700, using: &random)].randomElement(using: &random)!
        }
        driver.render(frames: frames, periods: periods, sink)
        while driver.engine.nextNotice() != nil {}
    }

    /// The ticks of a MIDI clock that jitters.
    private mutating func tick(for frames: Int) {
        guard isTicking else { return }
        let end = driver.frame + Int64(frames)
        clockTime = max(clockTime, Double(driver.frame))
        while Int64(clockTime) + 20 < end {
            driver.receive(MidiEvent(frame: 0, 0xf8), at: Int64(clockTime) + .random(in: 0...20, using: &random))
            clockTime += driver.sampleRate * 2.5 / clockBpm
        }
    }

    /// Waits until everything is silent: mostly after a stop, or without notes while the music runs on.
    ///
    /// - Returns: Whether it is silent.
    mutating func fallSilent(_ sink: (OfflinePeriod) -> Void = { _ in }) -> Bool {
        _ = driver.send(.releaseKeys)
        for owner in 1...2 as ClosedRange<Int32> {
            for track in 0..<4 as Range<UInt8> {
                for key in 36...72 as ClosedRange<UInt8> {
                    _ = driver.engine.send(RtKey(owner: owner, track: track, key: key, velocity: 0), at: usecs)
                }
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            for slot in Slot.all { score[slot].notes = PerStep(repeating: StepNotes()) }
            publish()
        } else {
            score.sync.source = .own
            publish()
            render(64, sink)
            _ = driver.send(.stop)
        }
        // What is under way arrives.
        render(600, sink)
        for _ in 0..<3000 where !driver.engine.isWhollySilent { render(.random(in: 100...400, using: &random), sink) }
        if Bool.random(using: &random) { render(.random(in: 1...60_000, using: &random), sink) }
        return driver.engine.isWhollySilent
    }
}

/// What came out of all ports.
struct SessionOutput {
    private var samples = [Data](repeating: Data(), count: EnginePort.audio.count)
    private var messages: [String] = []
    private(set) var frameCount = 0
    /// Whether any of it is not silence.
    private(set) var sounds = false

    mutating func append(_ period: OfflinePeriod) {
        for port in EnginePort.audio { samples[port.index].append(Data(buffer: period[port])) }
        for port in [EnginePort.midiOut, .clockOut] {
            messages += period.messages(of: port).map { "\(port.name) \($0)" }
        }
        sounds = sounds || period[.mainLeft].contains { $0 != 0 }
        frameCount += period.frameCount
    }

    /// Where two differ; nil where they are the same to the bit.
    func difference(from other: SessionOutput) -> String? {
        let ports = EnginePort.audio.compactMap { port -> String? in
            let place = zip(samples[port.index], other.samples[port.index]).enumerated().first { $1.0 != $1.1 }
            return place.map { "\(port.name) from frame \($0.offset / 4) on" }
        }
        if !ports.isEmpty { return ports.joined(separator: ", ") }
        guard messages != other.messages else { return nil }
        let first = zip(messages, other.messages).first { $0 != $1 }
        return "messages: \(first.map { "\($0)" } ?? "\(messages.count) and \(other.messages.count)")"
    }
}
