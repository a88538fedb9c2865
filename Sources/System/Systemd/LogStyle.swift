import Glibc
import Logging

/// How a log message is written.
public enum LogStyle: Equatable, Sendable {
    /// For journald, which adds the time: each line begins with its priority (sd-daemon(3)).
    case journal
    /// For people: date, time, level and message.
    case plain

    /// The style for a file descriptor: journald's if journald reads it, according to `JOURNAL_STREAM`.
    public init(descriptor: Int32, environment: [String: String]) {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0,
            stream == "\(status.st_dev):\(status.st_ino)"
        else {
            self = .plain
            return
        }
        self = .journal
    }

    /// What ends a program, outside of its log: journald gets it as an error, people get it unchanged.
    public func farewell(_ error: String) -> String {
        self == .journal ? lines(error, level: .error, time: "") : error + "\n"
    }

    /// The lines of a message, each with its newline.
    ///
    /// - Parameter time: The time for the plain style, as `2026-01-31 20:15:00.123`.
    func lines(_ message: String, level: Logger.Level, time: @autoclosure () -> String) -> String {
        let lines = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        switch self {
        case .journal: return lines.map { "<\(level.journalPriority)>\($0)\n" }.joined()
        case .plain:
            let head = "\(time()) \(level.rawValue.padded(to: 8)) "
            let indent = String(repeating: " ", count: head.count)
            return head + lines.joined(separator: "\n" + indent) + "\n"
        }
    }
}

extension Logger.Level {
    /// The priority of syslog(3): 2 (critical) to 7 (debugging).
    var journalPriority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// The current date and time in the local time zone.
func localTimestamp() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var local = tm()
    localtime_r(&now.tv_sec, &local)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &local)
    let milliseconds = String(1000 + now.tv_nsec / 1_000_000).dropFirst()
    return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) + "." + milliseconds
}
