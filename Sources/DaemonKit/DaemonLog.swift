import Configuration
import Dispatch
import Glibc
import Logging
import Synchronization
import Systemd

/// The daemon's log, whose level can be changed while it runs.
final class DaemonLog: Sendable {
    private let level: Mutex<Logger.Level>
    private let writer: LogWriter

    init(level: LogLevel, environment: [String: String]) {
        self.level = Mutex(Logger.Level(level))
        writer = LogWriter(style: LogStyle(descriptor: STDERR_FILENO, environment: environment))
    }

    /// A logger that follows the level.
    var logger: Logger {
        Logger(label: "pixelboopd") { _ in Handler(log: self, handler: ServiceLogHandler(self.writer, level: .trace)) }
    }

    /// Waits until everything is written, but not for a terminal or a journal that hangs.
    func flush() { writer.flush(within: .milliseconds(200)) }

    func setLevel(_ level: LogLevel) {
        self.level.withLock { $0 = Logger.Level(level) }
    }

    /// Asks the log for the level with each message.
    private struct Handler: LogHandler {
        let log: DaemonLog
        var handler: ServiceLogHandler

        var metadata: Logger.Metadata {
            get { handler.metadata }
            set { handler.metadata = newValue }
        }

        var logLevel: Logger.Level {
            get { log.level.withLock { $0 } }
            set { log.level.withLock { $0 = newValue } }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { handler[metadataKey: key] }
            set { handler[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) { handler.log(event: event) }
    }
}

extension Logger.Level {
    init(_ level: LogLevel) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}
