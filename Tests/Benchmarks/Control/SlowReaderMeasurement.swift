import Foundation
import Glibc
import JSON
import TestSupport
import Wire

/// What a subscriber that stops reading does to the others and to the daemon's memory: touch to picture among 100 that
/// read, before and meanwhile, and what it gets when it reads again.
struct SlowReaderMeasurement {
    let touches: Int

    private static let others = 100

    func run() async throws {
        try await Rig.with(options: ["--audition", "never"]) { rig in try await measure(on: rig) }
    }

    private func measure(on rig: Rig) async throws {
        let crowd = try ChildProgram.floor(
            "subscribe", ["--path", rig.socketPath, "--clients", "\(Self.others)"])
        try measureBesideCrowd(on: rig)
        await crowd.end()
    }

    // Not inlined: the 6.3 compiler crashes on typed errors inside an asynchronous function.
    @inline(never)
    private func measureBesideCrowd(on rig: Rig) throws {
        let client = try rig.connect()
        try client.call("subscribe", #"{"topics":["frame"],"maxFps":240}"#)
        while try Rig.statistics(client).clients.count <= Self.others { usleep(10_000) }

        let before = try times(client)
        let deaf = try LineSocket(subscribingAt: rig.socketPath)
        let memory = rig.daemon.residentBytes
        let meanwhile = try times(client)
        let growth = rig.daemon.residentBytes - memory
        ControlTable.times(
            "beside one that does not read", names: ("all read", "one does not"), benchmark: "control slow reader",
            floor: Distribution(before), daemon: Distribution(meanwhile))
        try report(deaf, growth: growth, client)
    }

    private func times(_ client: LineSocket) throws -> [Double] {
        try Finger.drags.times(of: touches, on: client) { try client.awaitChange(of: $0) }
    }

    /// Reads what the daemon kept for the client that did not read: outdated diffs that had left already, then one.
    private func report(_ deaf: LineSocket, growth: Int, _ client: LineSocket) throws {
        let newest = try KeyFrame(json: try client.result(of: "frame.get"))
        var (bytes, diffs, span) = (0, 0, 0)
        while true {
            let line = try deaf.line()
            (bytes, diffs) = (bytes + line.count, diffs + 1)
            let message = try JSONValue(parsing: line.dropLast()).objectValue
            let update = try FrameUpdate(json: message?["params"] ?? .null)
            span = update.sequence - update.base
            if update.sequence >= newest.sequence { break }
        }
        let table = ControlTable("", columns: ["seconds", "diffs", "bytes", "pictures", "KiB more"])
        table.row(
            "it reads again",
            [
                ControlTable.text(0.005 * Double(touches)), "\(diffs)", "\(bytes)", "\(span)",
                ControlTable.text(Double(growth) / 1024),
            ])
    }
}
