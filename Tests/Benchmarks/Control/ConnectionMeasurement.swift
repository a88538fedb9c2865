import Foundation
import TestSupport

/// How many clients a second, one after the other, can connect, be welcomed, say hello, be answered and go, beside a bare
/// accept loop that writes as many bytes.
struct ConnectionMeasurement {
    private static let turns = 10
    private static let perTurn = 500
    private static let hello =
        Array(#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"client":"bench"}}"#.utf8) + [10]

    func run() async throws {
        try await Rig.with { rig in try await measure(on: rig) }
    }

    private func measure(on rig: Rig) async throws {
        let (welcome, answer) = try visit(rig.socketPath)
        let path = rig.directory.appending(path: "answer.sock").path
        let floor = try ChildProgram.floor(
            "answer", ["--path", path, "--greeting", "\(welcome)", "--reply", "\(answer)"])
        _ = try LineSocket(awaiting: path)
        var (ours, bare): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.turns {
            ours.append(try rate(at: rig.socketPath))
            bare.append(try rate(at: path))
        }
        await floor.end()
        report(daemon: Distribution(ours).quantile(0.5), bare: Distribution(bare).quantile(0.5))
    }

    private func rate(at path: String) throws -> Double {
        let start = monotonicSeconds()
        for _ in 0..<Self.perTurn { try visit(path) }
        return Double(Self.perTurn) / (monotonicSeconds() - start)
    }

    /// One connection from beginning to end; returns the lengths of the welcome and of the answer.
    @discardableResult
    private func visit(_ path: String) throws -> (welcome: Int, answer: Int) {
        let socket = try LineSocket(connectingTo: path)
        let welcome = try socket.line().count
        try socket.send(Self.hello)
        return (welcome, try socket.line().count)
    }

    private func report(daemon: Double, bare: Double) {
        let table = ControlTable("connections", columns: ["a second"])
        table.row("bare", [ControlTable.text(bare)])
        table.row("daemon", [ControlTable.text(daemon)])
        table.row("ratio", [ControlTable.text(bare / daemon, 2)])
        Results.record(
            benchmark: "control connections", ["perSecond": .number(daemon), "barePerSecond": .number(bare)])
    }
}
