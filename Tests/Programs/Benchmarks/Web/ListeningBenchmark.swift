import ArgumentParser
import DaemonTestSupport
import Foundation
import JackTestSupport
import Synchronization
import TestSupport
import Wire

/// The cost of listeners for the daemon, the gateway and the process callback, and for another client's answers.
struct ListeningBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listening",
        abstract: "What listeners cost in daemon, gateway and process callback, and in another client's ping.",
        discussion: "Runs a jackd with the dummy driver, a pixelboopd and a gateway of its own; all listen as pages.")

    @Option(help: "Measurements of each number of listeners; the median counts.")
    var runs = 5

    @Option(help: "Seconds of each measurement.")
    var seconds = 10.0

    private static let counts = [0, 1, 8]

    func run() async throws {
        let (runs, seconds) = (runs, seconds)
        try await BenchmarkRig.with { rig in
            let gateway = try await MeasuredGateway(before: rig)
            try rig.playDemo()
            var costs: [Int: [ListeningCost]] = [:]
            // In turn, so that other activity of the machine affects all.
            for _ in 0..<runs {
                for count in Self.counts {
                    costs[count, default: []].append(try ListeningCost(of: count, for: seconds, rig, gateway))
                }
            }
            report(costs, of: Self.counts)
            await gateway.process.end()
        }
    }
}

/// The cost of a number of listeners.
private struct ListeningCost {
    /// With 64 frames at 48 kHz.
    private static let periodsPerSecond = 750.0
    /// Microseconds between two pings.
    private static let pause: UInt32 = 2000

    /// ms of processor time per second of audio.
    let daemon, gateway: Double
    /// µs a period.
    let callback: Double
    /// Late periods.
    let xruns: Int
    /// Blocks per second that each listener was sent.
    let blocks: Double
    /// Blocks that were dropped because a listener did not keep up.
    let dropped: Int
    /// Another client's ping in µs: the median.
    let ping: Double

    init(of count: Int, for seconds: Double, _ rig: BenchmarkRig, _ gateway: MeasuredGateway) throws {
        let pages = try (0..<count).map { _ in
            let page = try PageSocket(port: gateway.port)
            try page.call("subscribe", #"{"topics":["audio"]}"#)
            return page
        }
        let reader = BackgroundReader(of: pages.map(\.descriptor))
        defer { reader.stop() }
        let client = try rig.connect()
        sleep(untilMonotonic: monotonicSeconds() + 1)
        let (before, start) = (try Reading(rig, gateway, client), monotonicSeconds())
        var pings: [Double] = []
        while monotonicSeconds() < start + seconds {
            let moment = monotonicSeconds()
            try client.call("ping")
            pings.append(1e6 * (monotonicSeconds() - moment))
            usleep(Self.pause)
        }
        let (after, time) = (try Reading(rig, gateway, client), monotonicSeconds() - start)
        let threads = after.daemon.milliseconds(since: before.daemon)
        daemon = threads.reduce(0) { $0 + $1.milliseconds } / time
        self.gateway = after.gateway.milliseconds(since: before.gateway).reduce(0) { $0 + $1.milliseconds } / time
        callback =
            threads.filter { $0.name == "jack-process" }.reduce(0) { $0 + $1.milliseconds } / time * 1000
            / Self.periodsPerSecond
        xruns = after.statistics.audio.xruns - before.statistics.audio.xruns
        let (sent, left) = (after.audio, before.audio)
        blocks = count == 0 ? 0 : Double(sent.sent - left.sent) / time / Double(count)
        dropped = sent.dropped - left.dropped
        ping = Distribution(pings).quantile(0.5)
        withExtendedLifetime(pages) {}
    }

    /// The figures at one moment.
    private struct Reading {
        let daemon, gateway: ThreadTimes
        let statistics: Statistics

        init(_ rig: BenchmarkRig, _ gateway: MeasuredGateway, _ client: LineSocket) throws {
            daemon = try ThreadTimes(of: rig.daemon.identifier)
            self.gateway = try ThreadTimes(of: gateway.process.identifier)
            statistics = try BenchmarkRig.statistics(client)
        }

        var audio: (sent: Int, dropped: Int) {
            statistics.clients.reduce(into: (0, 0)) {
                $0.0 += $1.audio?.sent ?? 0
                $0.1 += $1.audio?.dropped ?? 0
            }
        }
    }
}

/// Reads everything that comes, on a thread of its own.
private final class BackgroundReader: Sendable {
    private let isOver = Atomic(false)
    private let end = DispatchSemaphore(value: 0)

    init(of descriptors: [CInt]) {
        Thread.detachNewThread { [self] in
            let crowd = Crowd(reading: descriptors)
            while !isOver.load(ordering: .relaxed) { crowd.read(for: 0.1) }
            end.signal()
        }
    }

    /// Returns when reading has ended.
    func stop() {
        isOver.store(true, ordering: .relaxed)
        end.wait()
    }
}

private func report(_ costs: [Int: [ListeningCost]], of counts: [Int]) {
    func median(_ count: Int, _ part: KeyPath<ListeningCost, Double>) -> Double {
        Distribution(costs[count]!.map { $0[keyPath: part] }).quantile(0.5)
    }
    let table = ControlTable(
        "listeners", columns: ["daemon ms/s", "web ms/s", "callback us", "ping us", "blocks/s", "dropped", "xruns"])
    for count in counts {
        let all = costs[count]!
        let (dropped, xruns) = (all.reduce(0) { $0 + $1.dropped }, all.reduce(0) { $0 + $1.xruns })
        let figures = [\ListeningCost.daemon, \.gateway, \.callback, \.ping, \.blocks].map { median(count, $0) }
        table.row(
            "\(count), medians of \(all.count)",
            zip(figures, [1, 1, 2, 1, 1]).map { ControlTable.text($0, $1) } + ["\(dropped)", "\(xruns)"])
        Results.record(
            benchmark: "listening",
            [
                "listeners": .number(Double(count)), "daemon": .number(figures[0]), "gateway": .number(figures[1]),
                "callback": .number(figures[2]), "ping": .number(figures[3]), "blocks": .number(figures[4]),
                "dropped": .number(Double(dropped)), "xruns": .number(Double(xruns)),
            ])
    }
}
