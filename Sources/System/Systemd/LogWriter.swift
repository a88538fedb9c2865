import Dispatch
import Glibc
import Logging
import Synchronization
import SystemSupport

/// Writes log messages to a file descriptor, on a queue of its own, so that a stopped terminal or a hanging journald
/// does not block the program. Messages that find no room are dropped, and later their number is logged.
public final class LogWriter: Sendable {
    /// How many messages may wait.
    static let capacity = 1024

    private let descriptor: Int32
    private let style: LogStyle
    private let leastLevel: Mutex<Logger.Level>
    private let queue = DispatchQueue(label: "log")
    private let counts = Mutex(Counts())

    private struct Counts {
        var waiting = 0
        var dropped = 0

        /// Makes room for a message, or counts it as dropped.
        mutating func admit() -> Bool {
            guard waiting < LogWriter.capacity else {
                dropped += 1
                return false
            }
            waiting += 1
            return true
        }

        /// Removes a message, and returns how many were dropped before it.
        mutating func release() -> Int {
            waiting -= 1
            defer { dropped = 0 }
            return dropped
        }
    }

    public init(descriptor: Int32 = STDERR_FILENO, style: LogStyle, level: Logger.Level) {
        self.descriptor = descriptor
        self.style = style
        leastLevel = Mutex(level)
    }

    /// The least important level that is written, for all loggers; it may change while they log.
    public var level: Logger.Level {
        get { leastLevel.withLock(\.self) }
        set { leastLevel.withLock { $0 = newValue } }
    }

    /// Waits, up to a limit, until everything is written.
    ///
    /// - Returns: Whether everything is written.
    @discardableResult
    public func flush(within limit: DispatchTimeInterval) -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        return done.wait(timeout: .now() + limit) == .success
    }

    func write(_ message: String, level: Logger.Level) {
        guard counts.withLock({ $0.admit() }) else { return }
        let text = style.lines(message, level: level, time: localTimestamp())
        queue.async { [self] in
            put(text)
            let dropped = counts.withLock { $0.release() }
            guard dropped > 0 else { return }
            put(style.lines("\(dropped) messages were dropped", level: .warning, time: localTimestamp()))
        }
    }

    private func put(_ text: String) { try? writeAll(Array(text.utf8), to: descriptor, of: "the log") }
}
