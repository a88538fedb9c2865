import ArgumentParser
import Engine
import Foundation
import OfflineAudio

/// How long the process callback's work takes, and how fast the engine renders offline.
struct EngineBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine",
        abstract: "Time per period in the process callback, and offline rendering in multiples of real time.")

    @Option(help: "Periods to measure for each load.")
    var periods = 1_000_000

    @Option(help: "Frames per period.")
    var frames = 64

    @Option(help: "Frames per second.")
    var rate = 48_000.0

    func run() {
        print("\(frames) frames at \(Int(rate)) Hz, \(periods) periods; µs (share of the period's \(text(budget)) µs)")
        print(row("load", ["p50", "p99", "p99.9", "max"]))
        for load in EngineLoad.allCases { print(row(load.rawValue, measure(load))) }
        print("offline, times real time")
        for load in EngineLoad.allCases { print(row(load.rawValue, [text(offlineSpeed(load))])) }
    }

    /// A period's length in µs.
    private var budget: Double { Double(frames) / rate * 1e6 }

    private func measure(_ load: EngineLoad) -> [String] {
        let driver = load.driver(rate: rate)
        var times: [Double] = []
        times.reserveCapacity(periods)
        // A second for the caches and the branch predictor.
        driver.render(frames: Int(rate), periods: [frames]) { _ in }
        let clock = ContinuousClock()
        var start = clock.now
        driver.render(frames: periods * frames, periods: [frames]) { _ in
            let end = clock.now
            times.append((end - start) / .microseconds(1))
            start = clock.now
        }
        let distribution = Distribution(times)
        return [0.5, 0.99, 0.999].map { share(distribution.quantile($0)) } + [share(distribution.maximum)]
    }

    /// The median of eleven renderings of four seconds.
    private func offlineSpeed(_ load: EngineLoad) -> Double {
        let driver = load.driver(rate: rate)
        let clock = ContinuousClock()
        let speeds = (0..<11).map { _ in
            4 / (clock.measure { driver.render(frames: Int(4 * rate)) { _ in } } / .seconds(1))
        }
        return Distribution(speeds).quantile(0.5)
    }

    private func share(_ time: Double) -> String { "\(text(time)) (\(text(100 * time / budget)) %)" }
    private func text(_ number: Double) -> String { String(format: "%.2f", number) }

    private func row(_ name: String, _ cells: [String]) -> String {
        name.padding(toLength: 12, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(1, 20 - $0.count)) + $0 }.joined()
    }
}

/// What the engine has to do meanwhile.
enum EngineLoad: String, CaseIterable {
    /// The clock runs, nothing sounds.
    case idle
    /// Four sustained notes on each pitched track.
    case twelve = "12 voices"
    /// Every note of every pitched track sustained, every drum hit every 50 ms.
    case fortyEight = "48 voices"
    /// Every note and drum starts anew every 50 ms, while its old voice fades.
    case everything

    /// A driver that plays the load.
    func driver(rate: Double) -> OfflineDriver {
        let driver = OfflineDriver(engine: Engine(score: score), sampleRate: rate)
        driver.schedule(.command(.play), at: 0)
        return driver
    }

    private static let accents: UInt32 = 0xaa_aaaa
    private static let sustains: UInt32 = 0xff_ffff

    private var score: Score {
        var score = Score(bpm: 300)
        for step in 0..<32 {
            for track in 0..<3 { score.cells[track * 32 + step] = pitched(step: step) }
            score.cells[3 * 32 + step] = self == .fortyEight || self == .everything ? EngineLoad.accents : 0
        }
        return score
    }

    private func pitched(step: Int) -> UInt32 {
        let held = step == 0 ? EngineLoad.accents : EngineLoad.sustains
        return switch self {
        case .idle: 0
        case .twelve: held & 0xff
        case .fortyEight: held
        case .everything: EngineLoad.accents
        }
    }
}
