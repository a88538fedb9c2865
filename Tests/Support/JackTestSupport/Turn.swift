import Synchronization
import SystemSupport

/// Lets one test at a time use libjack, which holds one server per process: first come, first served.
enum JackTurn {
    private static let last = Mutex<Latch?>(nil)

    /// Waits for the turn, runs a body, and passes the turn on.
    static func take<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let end = Latch()
        let before = last.withLock { last in
            defer { last = end }
            return last
        }
        await before?.wait()
        defer { end.open() }
        return try await body()
    }
}
