import Foundation
import SystemSupport

/// The end of a child process, which any number of tasks can await.
final class ProcessExit: Sendable {
    private let hasEnded = DispatchSemaphore(value: 0)
    private let end = Latch()

    /// Watches a process that has not been started yet.
    init(of process: Process) {
        process.terminationHandler = { [self] _ in
            end.open()
            hasEnded.signal()
        }
    }

    /// Whether the process has ended.
    var hasHappened: Bool { end.isOpen }

    /// Returns when the process has ended.
    func wait() async { await end.wait() }

    /// Blocks one thread until the process has ended.
    func block() { hasEnded.wait() }
}
