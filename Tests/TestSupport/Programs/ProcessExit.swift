import Foundation
import Synchronization
import SystemSupport

/// The end of a child process, to be awaited by any number of tasks.
final class ProcessExit: Sendable {
    private let isOver = Mutex(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let end = Latch()

    /// Watches a process that has not been started yet.
    init(of process: Process) {
        process.terminationHandler = { [self] _ in
            isOver.withLock { $0 = true }
            hasEnded.signal()
            end.open()
        }
    }

    /// Whether the process has ended.
    var hasHappened: Bool { isOver.withLock(\.self) }

    /// Returns when the process has ended.
    func wait() async { await end.wait() }

    /// Returns when the process has ended, for one thread.
    func block() { hasEnded.wait() }
}
