import Foundation
import TestSupport

/// A second peer in the session.
package final class Peer: Sendable {
    /// The session as the peer sees it.
    package struct State: Decodable, Sendable {
        package var usecs: Double
        package var beat: Double
        package var bpm: Double
        package var playing: Bool
        package var peers: Int
    }

    package struct Ended: Error {}

    private let program: ChildProgram

    package init(on hosts: TwoHosts, _ host: TwoHosts.Host = .second, bpm: Double) throws {
        program = try ChildProgram(on: hosts, host, .product("link-peer"), ["\(bpm)"])
    }

    /// Sends it a command: `tempo 130`, `play`, `play 500` for a start that many ms ahead, `stop`.
    package func say(_ line: String) { program.write(line) }

    /// Waits until its session meets a condition.
    @discardableResult
    package func waits(_ condition: (State) -> Bool) async throws -> State {
        program.write("state")
        while let line = await program.line() {
            let state = try JSONDecoder().decode(State.self, from: Data(line.utf8))
            if condition(state) { return state }
        }
        throw Ended()
    }

    /// The session as it sees it now.
    package func state() async throws -> State {
        let before = Double(rawNanoseconds()) / 1000
        return try await waits { $0.usecs >= before }
    }

    package func end() async { await program.end() }
}

/// The system's monotonic clock without corrections, in ns.
package func rawNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
