import Dispatch
import Synchronization

/// Somebody who waits for the disk, but not for ever.
final class FlushWaiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>, limit: Duration) {
        self.continuation = Mutex(continuation)
        DispatchQueue.global().asyncAfter(deadline: .now() + DispatchTimeInterval(limit)) { self.resume(false) }
    }

    /// Ends the waiting; only the first call counts.
    func resume(_ isOnDisk: Bool) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: isOnDisk)
    }
}

extension DispatchTimeInterval {
    /// A duration to the nanosecond, none for a negative one, and at most a thousand million seconds.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = max(.zero, min(duration, .seconds(1_000_000_000))).components
        self = .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
