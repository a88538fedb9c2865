import Foundation
import Synchronization

/// The end of a child process, to be awaited by any number of tasks.
public final class ProcessExit: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Watches a process that has not been started yet.
    public init(of process: Process) {
        process.terminationHandler = { [self] _ in happen() }
    }

    /// Whether the process has ended.
    public var hasHappened: Bool {
        state.withLock(\.hasHappened)
    }

    /// Returns when the process has ended.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasHappened { state.waiters.append(continuation) }
                return state.hasHappened
            }
            if isOver { continuation.resume() }
        }
    }

    private func happen() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
