import Foundation
import Synchronization

/// The end of a child process, to be awaited by any number of tasks.
final class ProcessExit: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Watches a process that has not been started yet.
    init(of process: Process) {
        process.terminationHandler = { [self] _ in happen() }
    }

    /// Whether the process has ended.
    var hasHappened: Bool {
        state.withLock(\.hasHappened)
    }

    /// Returns when the process has ended.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasHappened { state.waiters.append(continuation) }
                return state.hasHappened
            }
            if isOver { continuation.resume() }
        }
    }

    /// Returns when the process has ended, for one thread.
    func block() { hasEnded.wait() }

    private func happen() {
        hasEnded.signal()
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
