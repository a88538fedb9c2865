import Instrument
import Music
import OfflineAudio
import Testing

@testable import Engine

@Suite struct OfflineDriverTests {
    private func driver() throws -> OfflineDriver {
        try OfflineDriver(engine: Engine(score: Score()), sampleRate: 48_000)
    }

    @Test(arguments: [0, 7999, 192_001, -48_000, .infinity, .nan])
    func `an unsupported rate is refused with the supported ones`(rate: Double) throws {
        let failure = try #require(throws: UnplayableRate.self) {
            try OfflineDriver(engine: Engine(score: Score()), sampleRate: rate)
        }
        #expect("\(failure)".hasSuffix(" Hz is outside 8000 to 192000 Hz"))
    }

    @Test(arguments: [8000, 22_050, 192_000.0]) func `the lowest and highest rates are played`(rate: Double) throws {
        #expect(
            try OfflineDriver(engine: Engine(score: Score()), sampleRate: rate).record(frames: 10)[.track(.bass)].count
                == 10)
    }

    @Test func `periods come in turn, and the end cuts the last one short`() throws {
        let driver = try driver()
        var periods: [(Int64, Int)] = []
        driver.render(frames: 1000, periods: [64, 300]) { periods.append(($0.startFrame, $0.frameCount)) }
        #expect(periods.map(\.0) == [0, 64, 364, 428, 728, 792])
        #expect(periods.map(\.1) == [64, 300, 64, 300, 64, 208])
        #expect(driver.frame == 1000)
    }

    @Test func `a period starts where a change is scheduled`() throws {
        let driver = try driver()
        driver.schedule(.command(.play), at: 150)
        driver.schedule(.score(Score()), at: 100)
        var starts: [Int64] = []
        driver.render(frames: 400, periods: [128]) { starts.append($0.startFrame) }
        #expect(starts == [0, 100, 150, 278])
        guard case .transport(.playing, 0, _) = driver.engine.nextNotice(),
            case .step(let step) = driver.engine.nextNotice()
        else { return #expect(Bool(false), "play was not heard") }
        #expect(step.step == 0 && step.frame == 150 && step.usecs == 3125)
    }

    @Test func `changes for one frame happen in the order of their scheduling`() throws {
        let driver = try driver()
        for command in [RtCommand.play, .stop, .locate(step: 3)] { driver.schedule(.command(command), at: 10) }
        driver.render(frames: 20) { _ in }
        var transports: [PlayState] = []
        while case .transport(let state, _, _) = driver.engine.nextNotice() { transports.append(state) }
        #expect(transports == [.playing, .stopped, .stopped])
    }

    @Test func `a recording holds what the periods handed out`() throws {
        let commands = [
            RtCommand.audition(track: 0, notes: 1, velocity: 2), .audition(track: 3, notes: 1, velocity: 2),
        ]
        let (first, second) = (try driver(), try driver())
        for command in commands {
            first.schedule(.command(command), at: 0)
            second.schedule(.command(command), at: 0)
        }
        let recording = first.record(frames: 2000, periods: [333])
        var streamed = [[Float]](repeating: [], count: EnginePort.audio.count)
        second.render(frames: 2000, periods: [512]) { period in
            for port in EnginePort.audio { streamed[port.index] += period[port] }
        }
        #expect(recording.startFrame == 0 && recording.sampleRate == 48_000)
        for port in EnginePort.audio { #expect(recording[port] == streamed[port.index]) }
        #expect(recording[.track(.melody)].contains { $0 != 0 } && recording[.track(.bass)].allSatisfy { $0 == 0 })
        #expect(first.record(frames: 10).startFrame == 2000)
    }

    @Test func `an error of the sink ends the rendering after its period`() throws {
        struct Full: Error {}
        let driver = try driver()
        #expect(throws: Full.self) {
            try driver.render(frames: 1000, periods: [100]) { if $0.startFrame == 200 { throw Full() } }
        }
        #expect(driver.frame == 300)
    }

    @Test func `denormal samples are zero for the engine, and not for its caller`() throws {
        let tiny = Float.leastNormalMagnitude / 4
        func driver(_ sample: Float) throws -> OfflineDriver {
            var score = Score()
            score.parameters[.kit, Track.rhythm.rawValue] = Double(KitDescription.all.count)
            let engine = Engine(score: score)
            let samples = [[Float](repeating: sample, count: 64)]
            engine.publish(SampleKit(sampleRate: 48_000, samples: samples + Drum.allCases.dropFirst().map { _ in nil }))
            let driver = try OfflineDriver(engine: engine, sampleRate: 48_000)
            let kick = RtCommand.audition(track: Int32(Track.rhythm.rawValue), notes: 1, velocity: 2)
            driver.schedule(.command(kick), at: 0)
            return driver
        }
        try driver(1).render(frames: 64, periods: [64]) { period in
            #expect(period[.mainLeft].contains { $0 != 0 })
        }
        var products: [Float] = []
        try driver(tiny).render(frames: 64, periods: [64]) { period in
            #expect(period[.mainLeft].allSatisfy { $0 == 0 })
            products.append(tiny * 0.5)
        }
        products.append(tiny * 0.5)
        #expect(products.allSatisfy { $0 != 0 })
    }

    @Test(arguments: [8000, 11_025, 44_100, 48_000, 192_000.0])
    func `times of frames are rounded to the nearest microsecond`(rate: Double) throws {
        var score = Score()
        score.parameters[.tempo] = 173.3
        let driver = try OfflineDriver(engine: Engine(score: score), sampleRate: rate)
        for frame: Int64 in [1, 3, 1111] {
            driver.schedule(.command(.stop), at: frame)
            driver.schedule(.command(.play), at: frame)
        }
        driver.render(frames: 2000) { _ in }
        var frames: [Int64] = []
        while let notice = driver.engine.nextNotice() {
            guard case .step(let step) = notice else { continue }
            #expect(abs(Double(step.usecs) - Double(step.frame) * 1e6 / rate) <= 0.5001)
            frames.append(step.frame)
        }
        #expect(Set(frames).isSuperset(of: [1, 3, 1111]))
    }
}
