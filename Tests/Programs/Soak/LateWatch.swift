import Foundation
import Synchronization

/// Reads the server's log all the time, so that it is known at once when periods were late: what is heard at about that
/// time proves nothing, and everything else can be judged.
final class LateWatch: Sendable {
    /// How often it reads.
    private static let interval = 0.1
    /// How long before its report, in seconds, a late period may have been, and how long after.
    private static let (before, after) = (1.0, 0.2)

    private struct Heard {
        var xruns: HeardXruns
        /// Since the last call of ``take()``.
        var counts = HeardXruns.Counts()
        var isOver = false
    }

    private let heard: Mutex<Heard>
    private let listener: Listener

    /// - Parameters:
    ///   - path: The log.
    ///   - listener: Told of the times.
    init(path: String, telling listener: Listener) {
        heard = Mutex(Heard(xruns: HeardXruns(path: path)))
        self.listener = listener
    }

    /// Reads until it is ended.
    func start() {
        // The tasks' threads may be busy.
        Thread.detachNewThread { [self] in
            while !heard.withLock(\.isOver) {
                read()
                Thread.sleep(forTimeInterval: Self.interval)
            }
        }
    }

    private func read() {
        let isLate = heard.withLock { heard in
            let new = heard.xruns.read()
            heard.counts += new
            return new != HeardXruns.Counts()
        }
        if isLate { listener.noteGap(.now(since: Self.before, until: Self.after)) }
    }

    /// The late periods since the last call.
    func take() -> HeardXruns.Counts {
        read()
        return heard.withLock { heard in
            defer { heard.counts = HeardXruns.Counts() }
            return heard.counts
        }
    }

    /// Stops reading.
    ///
    /// - Returns: The last reports as the server wrote them.
    func end() -> [String] {
        heard.withLock { heard in
            heard.isOver = true
            return heard.xruns.reports
        }
    }
}
