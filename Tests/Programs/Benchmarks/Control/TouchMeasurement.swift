import Foundation
import TestSupport

/// From a touch's departure from the client to the arrival of the change of the picture that it causes, a touch every 5
/// ms, compared with an echo of the same bytes at the same pace. Nothing plays: with the playhead's changes, these
/// touches would come near the limit of 240 pictures a second per client, and the wait for the next picture would be
/// measured.
struct TouchMeasurement {
    let touches: Int

    /// Daemon and floor take turns, so that other activity of the machine affects both.
    private static let turn = 200
    private static let ping = Array(#"{"jsonrpc":"2.0","method":"ping","id":1}"#.utf8) + [10]

    func run() async throws {
        // If touches sounded, the meters would change the picture, too.
        try await BenchmarkRig.with(options: ["--audition", "never"]) { rig in try await measure(on: rig) }
    }

    private func measure(on rig: BenchmarkRig) async throws {
        let path = rig.directory.appending(path: "echo.sock").path
        let echo = try ChildProgram.floor("echo", ["--path", path])
        let bare = try LineSocket(awaiting: path)
        try measurePing(rig, bare)
        try measure("touch to picture: a move", "control touch move", .drags, rig, bare)
        try measure("touch to picture: a tap", "control touch tap", .taps, rig, bare)
        await echo.end()
    }

    /// A request that does nothing, as often as touches come.
    private func measurePing(_ rig: BenchmarkRig, _ bare: LineSocket) throws {
        let client = try rig.connect()
        var (ours, floors): ([Double], [Double]) = ([], [])
        while ours.count < touches {
            for _ in 0..<Self.turn { ours.append(try timeOfPing(on: client)) }
            for _ in 0..<Self.turn { floors.append(try timeOfPing(on: bare)) }
        }
        ControlTable.times(
            "ping to answer", benchmark: "control ping", floor: Distribution(floors), daemon: Distribution(ours))
    }

    private func timeOfPing(on socket: LineSocket) throws -> Double {
        usleep(UInt32(1e6 * TimedFinger.pace))
        let start = monotonicSeconds()
        try socket.send(Self.ping)
        _ = try socket.line()
        return monotonicSeconds() - start
    }

    private func measure(
        _ title: String, _ benchmark: String, _ finger: TimedFinger, _ rig: BenchmarkRig, _ bare: LineSocket
    ) throws {
        let client = try rig.connect()
        try client.call("subscribe", #"{"topics":["frame"],"maxFps":240}"#)
        var (ours, floors): ([Double], [Double]) = ([], [])
        let turn = finger.round * max(1, Self.turn / finger.round)
        while ours.count < touches {
            ours += try finger.times(of: turn, on: client) { try client.awaitChange(of: $0) }
            floors += try finger.times(of: turn, on: bare) { _ in _ = try bare.line() }
        }
        ControlTable.times(title, benchmark: benchmark, floor: Distribution(floors), daemon: Distribution(ours))
    }
}
