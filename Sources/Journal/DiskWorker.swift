import Dispatch
import Synchronization
import SystemSupport

/// One operation that may wait for the disk.
typealias DiskStep = @Sendable () throws(StorageFailure) -> Void

typealias DiskResult = Result<Void, StorageFailure>

/// Work on the disk, in steps: power may fail between any two.
struct DiskWork: Sendable {
    var steps: [DiskStep]

    init(steps: [DiskStep]) {
        self.steps = steps
    }

    /// The work of flushing files, one after the other.
    init(flushing files: [any SessionFile]) {
        steps = []
        for file in files {
            let flush: DiskStep = { () throws(StorageFailure) in try file.flush() }
            steps.append(flush)
        }
    }

    /// Runs the steps up to the first that fails.
    func run() -> DiskResult {
        DiskResult { () throws(StorageFailure) in
            for step in steps { try step() }
        }
    }
}

/// Does disk work on a thread of its own, so that the storage thread need not wait for it.
final class DiskWorker: Sendable {
    private let thread: WorkerThreads
    private let result = Mutex<DiskResult?>(nil)
    private let onEnd: @Sendable () -> Void

    /// Starts the thread now, because a later failure to start it would leave work undone.
    ///
    /// - Parameter onEnd: Called on the worker's thread when there is a result.
    /// - Throws: If the system cannot start the thread.
    init(_ name: String, onEnd: @escaping @Sendable () -> Void) throws(OrdinaryThread.Failure) {
        // While someone plays there is a flush every 20 ms.
        thread = WorkerThreads(name, stays: true)
        self.onEnd = onEnd
        try thread.start()
    }

    deinit { thread.end() }

    /// Begins work; its result must be taken before other work is begun.
    func begin(_ work: DiskWork) {
        thread.submit { [self] in
            let outcome = work.run()
            result.withLock { $0 = outcome }
            onEnd()
        }
    }

    /// Returns the result once, after the work has ended; otherwise nil.
    func takeResult() -> DiskResult? {
        result.withLock { result in
            defer { result = nil }
            return result
        }
    }
}

/// A task that waits for a flush, with a timeout.
final class FlushWaiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>, limit: Duration) {
        self.continuation = Mutex(continuation)
        DispatchQueue.global().asyncAfter(deadline: .now() + DispatchTimeInterval(limit)) { self.resume(false) }
    }

    /// Ends the wait; only the first call counts.
    func resume(_ isOnDisk: Bool) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
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
