import Dispatch
import Synchronization

/// A task that waits until changes are on disk, with a timeout.
final class FlushWaiter: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Bool, Never>?
        /// Whether the changes are on disk already, whatever else the task waits for.
        var isOnDisk = false
    }

    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<Bool, Never>, limit: Duration) {
        state = Mutex(State(continuation: continuation))
        DispatchQueue.global().asyncAfter(deadline: .now() + DispatchTimeInterval(limit)) { self.resume() }
    }

    /// Notes that the changes are on disk.
    func settle() { state.withLock { $0.isOnDisk = true } }

    /// Ends the wait; only the first call counts.
    func resume() {
        let (waiting, isOnDisk) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.isOnDisk)
        }
        waiting?.resume(returning: isOnDisk)
    }
}

extension DispatchTimeInterval {
    /// A duration to the nanosecond, clamped from zero to 10^9 seconds.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = max(.zero, min(duration, .seconds(1_000_000_000))).components
        self = .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
