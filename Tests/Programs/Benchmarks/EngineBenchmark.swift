import ArgumentParser
import Engine
import Foundation
import Music
import OfflineAudio

/// How long the process callback's work takes, and how fast the engine renders offline.
struct EngineBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine",
        abstract: "Time per period in the process callback, and offline rendering in multiples of real time.")

    @Option(help: "Periods to measure for each load.")
    var periods = 1_000_000

    @Flag(help: "Run under real-time scheduling, like JACK's thread; requires the right to.")
    var realtime = false

    private static let frames = 64
    private static let rate = 48_000.0
    /// A period's length in µs.
    private static let budget = Double(frames) / rate * 1e6

    func run() async throws {
        // First, as a task may continue on another thread and what follows is bound to this one.
        let bare = try await (BareClient.offlineSpeed(voices: 12), BareClient.offlineSpeed(voices: 48))
        try measureLoads()
        print(row("bare C, 12", [text(bare.0)]))
        print(row("bare C, 48", [text(bare.1)]))
        Results.record(benchmark: "offline bare C", ["12 voices": .number(bare.0), "48 voices": .number(bare.1)])
    }

    private func measureLoads() throws {
        if realtime { try useRealtimeScheduling() }
        print("64 frames at 48 kHz, \(periods) periods; µs (share of the period's \(text(Self.budget)) µs)")
        print(row("load", ["p50", "p99", "p99.9", "max"]))
        for load in EngineLoad.allCases { try measure(load) }
        print("offline, times real time")
        for load in EngineLoad.allCases {
            let speed = try offlineSpeed(load)
            print(row(load.rawValue, [text(speed)]))
            Results.record(benchmark: "offline", ["load": .text(load.rawValue), "timesRealTime": .number(speed)])
        }
    }

    private func measure(_ load: EngineLoad) throws {
        let driver = try load.driver(rate: Self.rate)
        var times: [Double] = []
        times.reserveCapacity(periods)
        // A second to warm up the caches and the branch predictor.
        driver.render(frames: Int(Self.rate), periods: [Self.frames]) { _ in }
        let clock = ContinuousClock()
        var start = clock.now
        driver.render(frames: periods * Self.frames, periods: [Self.frames]) { _ in
            let end = clock.now
            times.append((end - start) / .microseconds(1))
            start = clock.now
        }
        report(Distribution(times), load.rawValue)
    }

    private func report(_ distribution: Distribution, _ load: String) {
        let (p50, p99, p999) = (distribution.quantile(0.5), distribution.quantile(0.99), distribution.quantile(0.999))
        print(row(load, [p50, p99, p999, distribution.maximum].map(share)))
        Results.record(
            benchmark: "engine",
            [
                "load": .text(load), "p50": .number(p50), "p99": .number(p99), "p99.9": .number(p999),
                "maximum": .number(distribution.maximum),
            ])
    }

    /// The median of eleven renderings of four seconds, in the thread's own time, so that other programs do not count.
    private func offlineSpeed(_ load: EngineLoad) throws -> Double {
        let driver = try load.driver(rate: Self.rate)
        let speeds = (0..<11).map { _ in
            let start = threadSeconds()
            driver.render(frames: Int(4 * Self.rate)) { _ in }
            return 4 / (threadSeconds() - start)
        }
        return Distribution(speeds).quantile(0.5)
    }

    private func useRealtimeScheduling() throws {
        var parameters = sched_param()
        parameters.sched_priority = 60
        guard sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 else {
            throw ValidationError("real-time scheduling was refused: \(String(cString: strerror(errno)))")
        }
    }

    private func share(_ time: Double) -> String { "\(text(time)) (\(text(100 * time / Self.budget)) %)" }
    private func text(_ number: Double) -> String { String(format: "%.2f", number) }

    private func row(_ name: String, _ cells: [String]) -> String {
        name.padding(toLength: 12, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(1, 20 - $0.count)) + $0 }.joined()
    }
}

/// What the engine has to do.
enum EngineLoad: String, CaseIterable {
    /// The clock runs, nothing sounds.
    case idle
    /// Four sustained notes on each pitched track.
    case twelve = "12 voices"
    /// Every note of every pitched track sustained, every drum hit every 50 ms.
    case fortyEight = "48 voices"
    /// Every note and drum starts again every 50 ms, while its old voice fades.
    case everything
    /// Every note and drum starts again eight times a step, and every parameter that can move does.
    case lenses

    /// A driver that plays the load.
    func driver(rate: Double) throws -> OfflineDriver {
        let driver = try OfflineDriver(engine: Engine(score: score), sampleRate: rate)
        driver.schedule(.command(.play), at: 0)
        return driver
    }

    private static let accents = StepNotes(.all, .accent)
    private static let sustains = StepNotes(.all, .sustain)

    /// Every note, eight times a step.
    private static let ratchets: StepNotes = {
        var note = Note(.accent)
        note[.ratchet] = 8
        var notes = StepNotes()
        for number in 0..<Track.noteCount { notes[whole: number] = note }
        return notes
    }()

    /// Every parameter that can move, between two of its values from step to step.
    private static let motions: TrackMotions = {
        var motions = Motions()
        for parameter in Parameter.movable {
            guard let range = parameter.row.motion else { continue }
            for step in 0..<32 { motions[parameter, step] = range.lowerBound * (step.isMultiple(of: 2) ? 0.1 : 0.3) }
        }
        return TrackMotions(motions, length: 32)
    }()

    var score: Score {
        var score = Score()
        score.parameters[.tempo] = 300
        for step in 0..<32 {
            for track in 0..<3 { score[playing: track].notes[step] = pitched(step: step) }
            score[playing: 3].notes[step] = drums
        }
        if self == .lenses { for track in 0..<4 { score[playing: track].motions = EngineLoad.motions } }
        return score
    }

    private func pitched(step: Int) -> StepNotes {
        let held = step == 0 ? EngineLoad.accents : EngineLoad.sustains
        return switch self {
        case .idle: StepNotes()
        case .twelve: held.keeping([0, 1, 2, 3])
        case .fortyEight: held
        case .everything: EngineLoad.accents
        case .lenses: EngineLoad.ratchets
        }
    }

    private var drums: StepNotes {
        switch self {
        case .idle, .twelve: StepNotes()
        case .fortyEight, .everything: EngineLoad.accents
        case .lenses: EngineLoad.ratchets
        }
    }
}
