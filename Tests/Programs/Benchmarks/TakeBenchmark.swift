import ArgumentParser
import Engine
import Music
import OfflineAudio

/// What takes cost: more of each process callback, and the time of a render.
struct TakeBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takes",
        abstract: "Time per period in the process callback with and without takes, and the speed of a take's replay.",
        discussion: """
            Two engines play the same music in turn, a quarter of a second each; only one records. Half of the measurements \
            begin with one of them, half with the other.
            """)

    @Option(help: "Pairs of measurements for each load.")
    var pairs = 400

    @Option(help: "Seconds of the take to replay.")
    var seconds = 20

    private static let frames = 64
    private static let rate = 48_000.0
    /// Periods of a measurement.
    private static let periods = 188

    func run() throws {
        print("64 frames at 48 kHz, \(pairs) pairs; µs of CPU time a period, medians: without takes, with, difference")
        for load in EngineLoad.allCases {
            let (without, with, difference) = try costs(load)
            print("\(load.rawValue): \(without), \(with), \(difference)")
            Results.record(
                benchmark: "takes",
                [
                    "load": .text(load.rawValue), "without": .number(without), "with": .number(with),
                    "difference": .number(difference),
                ])
        }
        for load in EngineLoad.allCases {
            let (speed, bytes) = try replay(load)
            print("\(load.rawValue): replayed \(speed) times as fast as real time; \(bytes) bytes a second")
            Results.record(
                benchmark: "take replay", ["load": .text(load.rawValue), "timesRealTime": .number(speed)])
        }
    }

    private func costs(_ load: EngineLoad) throws -> (without: Double, with: Double, difference: Double) {
        let drivers = try (0..<2).map { _ in try load.driver(rate: Self.rate) }
        drivers[1].engine.setTakes(areWanted: true)
        for driver in drivers { _ = measure(driver) }
        var (times, differences): ([[Double]], [Double]) = ([[], []], [])
        for pair in 0..<pairs {
            var pairTimes = [0.0, 0.0]
            for index in pair.isMultiple(of: 2) ? [0, 1] : [1, 0] { pairTimes[index] = measure(drivers[index]) }
            for index in 0..<2 { times[index].append(pairTimes[index]) }
            differences.append(pairTimes[1] - pairTimes[0])
        }
        func median(_ numbers: [Double]) -> Double { Distribution(numbers).quantile(0.5) }
        return (median(times[0]), median(times[1]), median(differences))
    }

    /// µs a period.
    private func measure(_ driver: OfflineDriver) -> Double {
        let start = threadSeconds()
        driver.render(frames: Self.periods * Self.frames, periods: [Self.frames]) { _ in }
        let time = threadSeconds() - start
        // The other threads' work.
        while driver.engine.nextNotice() != nil {}
        while driver.engine.nextTakeRecord() != nil {}
        return time / Double(Self.periods) * 1e6
    }

    /// The speed of a replay, and the bytes of the log in a second.
    private func replay(_ load: EngineLoad) throws -> (speed: Double, bytes: Double) {
        let driver = try load.driver(rate: Self.rate)
        driver.engine.setTakes(areWanted: true)
        var (beginning, log): (TakeBeginning?, [[UInt8]]) = (nil, [])
        driver.render(frames: seconds * Int(Self.rate), periods: [Self.frames]) { _ in
            while driver.engine.nextNotice() != nil {}
            while let record = driver.engine.nextTakeRecord() {
                switch record {
                case .began(let new): beginning = new
                case .log(let chunk): log.append(chunk.bytes)
                case .ended: break
                }
            }
        }
        guard let beginning else { return (0, 0) }
        let start = threadSeconds()
        let replay = try TakeReplay(beginning, TakeMaterials(score: { _ in load.score }))
        for part in log { try replay.render(part) { _ in } }
        let time = threadSeconds() - start
        let played = Double(replay.frameCount) / Self.rate
        return (played / time, Double(log.reduce(0) { $0 + $1.count }) / played)
    }
}
