import ArgumentParser
import DaemonTestSupport
import Foundation
import Instrument
import JSON
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Wire

/// The cost of a daemon that nobody plays, and of one that plays by itself.
struct IdleBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: """
            Processor time, wake-ups and memory of a daemon that has nothing to do, with and without JACK and with the \
            internal driver, and of one that plays the demo.
            """)

    @Option(help: "Measurements of each; the median counts.")
    var runs = 5

    @Option(help: "Seconds of each measurement.")
    var seconds = 5.0

    /// What the daemon does, and who watches.
    private enum Situation: String, CaseIterable {
        case alone = "without JACK"
        case own = "with the internal driver"
        case jack = "with JACK"
        case watched = "with JACK, one client watching"
        case unseen = "playing, one client not watching"
        case seen = "playing, 60 pictures a second"

        var isPlaying: Bool { self == .unseen || self == .seen }
    }

    func run() async throws {
        let (runs, seconds) = (runs, seconds)
        let demo = try JSONValue(parsing: Data(contentsOf: BenchmarkRig.demo))
        let limit = Duration.seconds(60 + Double(runs * Situation.allCases.count) * (seconds + 15))
        let figures = try await JackServer.with(period: 64, limit: limit) { server in
            var figures: [Situation: [IdleFigures]] = [:]
            // In turn, so that other activity of the machine affects all.
            for _ in 0..<runs {
                for situation in Situation.allCases {
                    let figure = try await Self.measure(situation, on: server.name, seconds: seconds, demo: demo)
                    figures[situation, default: []].append(figure)
                }
            }
            return figures
        }
        print(
            "64 frames at 48 kHz, medians of \(runs) times \(seconds) s; wake-ups are those of all but the audio thread"
        )
        for situation in Situation.allCases { Self.report(situation, figures[situation]!) }
    }

    private static func measure(
        _ situation: Situation, on server: String, seconds: Double, demo: JSONValue
    ) async throws -> IdleFigures {
        let folder = try DaemonFolder()
        let process = try folder.start(
            on: situation == .alone ? "pixelboop-bench-nowhere" : server,
            options: situation == .own ? ["--driver", "internal", "--period", "64"] : [])
        try await process.wait(for: "listening on")
        let client = try await PixelBoopClient.connect(to: folder.socket)
        if situation != .alone { try await client.waitForState { $0.audio.status == .running } }
        if situation.isPlaying {
            _ = try await client.call("pattern.set", ["pattern": demo])
            _ = try await client.call("transport.play")
        }
        let subscription =
            switch situation {
            case .watched: try await client.subscribe()
            case .seen: try await client.subscribe(to: [.frame], maximumFrameRate: 60)
            default: Subscription?.none
            }
        if subscription == nil, situation != .unseen { client.close() }
        // Until everything at the start is over.
        try await Task.sleep(for: .seconds(2))
        let clock = ContinuousClock()
        let (start, before) = (clock.now, try IdleReading(of: process.identifier))
        try await Task.sleep(for: .seconds(seconds))
        let (end, after) = (clock.now, try IdleReading(of: process.identifier))
        subscription?.cancel()
        client.close()
        await process.end()
        return IdleFigures(from: before, to: after, seconds: (end - start) / .seconds(1))
    }

    private static func report(_ situation: Situation, _ figures: [IdleFigures]) {
        func median(_ part: KeyPath<IdleFigures, Double>) -> Double {
            Distribution(figures.map { $0[keyPath: part] }).quantile(0.5)
        }
        let (audio, other) = (median(\.audio), median(\.other))
        let (wakeUps, resident) = (median(\.wakeUps), median(\.resident))
        let share: Double = audio > 0 ? other / audio : 0
        print(
            situation.rawValue.padding(toLength: 32, withPad: " ", startingAt: 0)
                + String(
                    format:
                        "%6.2f ms/s in the audio thread, %6.2f elsewhere (%.2f of it), %6.1f wake-ups/s, "
                        + "%5.1f MiB",
                    audio, other, share, wakeUps, resident))
        Results.record(
            benchmark: "idle",
            [
                "situation": .text(situation.rawValue), "audioMillisecondsPerSecond": .number(audio),
                "otherMillisecondsPerSecond": .number(other), "wakeUpsPerSecond": .number(wakeUps),
                "residentMebibytes": .number(resident),
            ])
    }
}

/// What a process did and used, from the kernel's accounts (proc(5)).
private struct IdleReading {
    let times: ThreadTimes
    /// How often each of its threads, except the audio thread, went to sleep voluntarily, and so was woken.
    private let sleeps: [String: Double]
    /// MiB in memory, except JACK's.
    let resident: Double

    init(of process: pid_t) throws {
        times = try ThreadTimes(of: process)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        sleeps = threads.reduce(into: [:]) { sleeps, thread in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8),
                !IdleFigures.audioThreads.contains(where: { status.hasPrefix("Name:\t\($0)\n") })
            else { return }
            sleeps[thread] = Self.number("voluntary_ctxt_switches", in: status)
        }
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        resident = (Self.number("RssAnon", in: status) + Self.number("RssFile", in: status)) / 1024
    }

    /// Wake-ups of threads that still exist.
    func wakeUps(since earlier: IdleReading) -> Double {
        sleeps.reduce(0) { $0 + $1.value - (earlier.sleeps[$1.key] ?? 0) }
    }

    private static func number(_ name: String, in text: String) -> Double {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Double($0.filter(\.isNumber)) } ?? 0
    }
}

/// The costs of a daemon per second.
private struct IdleFigures {
    /// The names of the threads on which JACK calls the process callback, and the internal driver renders.
    static let audioThreads: Set = ["jack-process", "internal-audio"]

    /// ms of processor time in the audio thread and in all others.
    let audio, other: Double
    let wakeUps: Double
    let resident: Double

    init(from before: IdleReading, to after: IdleReading, seconds: Double) {
        let threads = after.times.milliseconds(since: before.times)
        audio = threads.filter { Self.audioThreads.contains($0.name) }.reduce(0) { $0 + $1.milliseconds } / seconds
        other = threads.filter { !Self.audioThreads.contains($0.name) }.reduce(0) { $0 + $1.milliseconds } / seconds
        wakeUps = after.wakeUps(since: before) / seconds
        resident = after.resident
    }
}
