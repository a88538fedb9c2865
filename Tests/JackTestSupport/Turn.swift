import Synchronization

/// Lets one test at a time use libjack, which holds one server per process.
enum JackTurn {
    private static let lock = AsyncLock()

    /// Waits for the turn, runs a body, and passes the turn on.
    static func take<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        await lock.lock()
        defer { lock.unlock() }
        return try await body()
    }
}

/// A first-come, first-served lock whose waiters hold no thread.
private final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiters.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func unlock() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            if state.waiters.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
