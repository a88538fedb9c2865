import Foundation
import JackTestSupport
import TestSupport
import Wire

/// What subscribers to the picture, at up to 60 frames per second, cost the daemon while a pattern plays, compared with
/// a process that writes the same number of bytes as often to as many sockets. Without a finger the pattern sets the
/// rate of pictures; with a moving finger the subscribers' limit does.
struct SubscriberMeasurement {
    let seconds: Double

    private struct Cost {
        var harvest: Crowd.Harvest
        /// CPU time in ms per second.
        var threads: [(name: String, milliseconds: Double)]
        /// Pictures that subscribers were not sent.
        var dropped: Int
        /// Resident bytes per subscriber.
        var memory: Double

        var total: Double { threads.reduce(0) { $0 + $1.milliseconds } }
    }

    private static let counts = [1, 100, 1000]
    /// Seconds for caches, timers and sockets to settle before measuring.
    private static let runIn = 2.0

    func run() async throws {
        for count in Self.counts {
            try await BenchmarkRig.with(options: ["--max-clients", "\(count + 16)"]) { rig in
                try rig.playDemo()
                try await measure("subscribers: \(count)", count, on: rig)
                let finger = try ChildProgram.floor("touch", ["--path", rig.socketPath])
                try await measure("subscribers: \(count), and a finger", count, on: rig)
                await finger.end()
            }
        }
    }

    private func measure(_ title: String, _ count: Int, on rig: BenchmarkRig) async throws {
        let cost = try measure(count, on: rig)
        report(title, cost, bare: try await measureBare(count, like: cost.harvest, on: rig))
    }

    // Not inlined: the 6.3 compiler crashes on typed errors inside an asynchronous function.
    @inline(never)
    private func measure(_ count: Int, on rig: BenchmarkRig) throws -> Cost {
        let statistician = try rig.connect()
        let memory = rig.daemon.residentBytes
        let crowd = try Crowd(of: count) { try LineSocket(subscribingAt: rig.socketPath) }
        crowd.read(for: Self.runIn)
        let dropped = try BenchmarkRig.statistics(statistician).frames.dropped
        let before = try ThreadTimes(of: rig.daemon.identifier)
        let harvest = crowd.read(for: seconds)
        let threads = try ThreadTimes(of: rig.daemon.identifier).milliseconds(since: before)
        return Cost(
            harvest: harvest, threads: threads.map { ($0.name, $0.milliseconds / harvest.seconds) },
            dropped: try BenchmarkRig.statistics(statistician).frames.dropped - dropped,
            memory: Double(rig.daemon.residentBytes - memory) / Double(count))
    }

    /// The CPU time in ms per second of a process that writes as much as the daemon did.
    private func measureBare(_ count: Int, like daemon: Crowd.Harvest, on rig: BenchmarkRig) async throws -> Double {
        let path = rig.directory.appending(path: "bare-\(UUID().uuidString.prefix(8)).sock").path
        let frames = Double(daemon.lines.reduce(0, +))
        let rate = frames / Double(count) / daemon.seconds
        let bytes = Int((Double(daemon.bytes) / frames).rounded())
        let writer = try ChildProgram.floor(
            "write", ["--path", path, "--clients", "\(count)", "--rate", "\(rate)", "--bytes", "\(bytes)"])
        let crowd = try Crowd(of: count) { try LineSocket(awaiting: path) }
        crowd.read(for: Self.runIn)
        let before = try ThreadTimes(of: writer.identifier)
        let harvest = crowd.read(for: seconds)
        let threads = try ThreadTimes(of: writer.identifier).milliseconds(since: before)
        await writer.end()
        return threads.reduce(0) { $0 + $1.milliseconds } / harvest.seconds
    }

    private func report(_ title: String, _ daemon: Cost, bare: Double) {
        let rates = daemon.harvest.lines.map { Double($0) / daemon.harvest.seconds }
        let text = ControlTable.text
        let table = ControlTable(
            title, columns: ["ms CPU/s", "frames/s", "fewest", "dropped", "KiB each"])
        table.row("bare", [text(bare, 1), text(rates.max()!, 2)])
        table.row(
            "daemon",
            [
                text(daemon.total, 1), text(rates.max()!, 2), text(rates.min()!, 2), "\(daemon.dropped)",
                text(daemon.memory / 1024, 1),
            ])
        table.row("ratio", [text(daemon.total / bare, 2)])
        let busy = daemon.threads.filter { $0.milliseconds >= 0.05 }.map { "\($0.name) \(text($0.milliseconds, 1))" }
        print("by thread: " + busy.joined(separator: ", "))
        Results.record(
            benchmark: "control \(title)",
            [
                "millisecondsPerSecond": .number(daemon.total), "bareMillisecondsPerSecond": .number(bare),
                "framesMost": .number(rates.max()!), "framesFewest": .number(rates.min()!),
                "dropped": .number(Double(daemon.dropped)), "bytesEach": .number(daemon.memory),
            ])
    }
}
