import Dispatch
import Synchronization

/// How a flush went.
typealias FlushResult = Result<Void, StorageFailure>

/// Flushes a file on a thread of its own: what comes meanwhile need not wait for the disk to be written, and so to
/// outlast the process.
final class Flusher: Sendable {
    private let queue = DispatchQueue(label: "storage-flush")
    private let result = Mutex<FlushResult?>(nil)
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: Called on the flusher's thread when there is a result to take.
    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Begins to flush; the result must be taken before the next one is begun.
    func begin(_ file: any SessionFile) {
        queue.async { [self] in
            let outcome = FlushResult(catching: file.flush)
            result.withLock { $0 = outcome }
            onEnd()
        }
    }

    /// The result of the flush that has ended, nil when it has not, or was taken.
    func takeResult() -> FlushResult? {
        result.withLock { result in
            defer { result = nil }
            return result
        }
    }
}
