/// How important a message is, from least to most.
public enum LogLevel: String, CaseIterable, Sendable {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical

    /// The levels in words.
    public static var expectation: String { allCases.map { "\"\($0.rawValue)\"" }.alternatives }
}
