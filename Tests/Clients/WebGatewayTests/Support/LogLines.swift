import Logging
import Synchronization

/// Collects the lines of a log.
final class LogLines: Sendable {
    private let all = Mutex<[(level: Logger.Level, text: String)]>([])
    private let (news, line) = AsyncStream<Logger.Level>.makeStream()

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    func lines(of level: Logger.Level) -> [String] {
        all.withLock { lines in lines.filter { $0.level == level }.map(\.text) }
    }

    /// Waits for the next line of a level; for one reader at a time.
    func wait(for level: Logger.Level) async {
        for await news in news where news == level { return }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        func log(event: LogEvent) {
            lines.all.withLock { $0.append((event.level, "\(event.message)")) }
            lines.line.yield(event.level)
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
