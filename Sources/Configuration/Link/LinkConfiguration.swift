/// How pixelboop-link is to run: every setting, from wherever it comes.
public struct LinkConfiguration: Equatable, Sendable {
    /// The daemon's control socket.
    public var socketPath: String
    /// Beats on a multiple of which players join.
    public var quantum = 4
    /// Whether starts and stops are shared with the session.
    public var sharesStarts = true
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// The quanta that there may be.
    public static let quanta = 1...64

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) {
        socketPath = directories.controlSocket ?? ""
    }
}

/// Everything that pixelboop-link can be told.
public enum LinkConfigurationKey: String, SettingKey {
    case socket
    case quantum
    case startStop = "start-stop"
    case logLevel = "log-level"

    /// `pixelboop-link`
    public static let program = "pixelboop-link"
    /// `PIXELBOOP_LINK_`
    public static let prefix = "PIXELBOOP_LINK_"

    /// Only `--start-stop`, which is also `--no-start-stop`.
    public var isSwitch: Bool { self == .startStop }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .quantum:
            "an integer from \(LinkConfiguration.quanta.lowerBound) to \(LinkConfiguration.quanta.upperBound)"
        case .startStop: "true or false"
        case .logLevel: LogLevel.expectation
        }
    }
}

extension LinkConfiguration: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: LinkConfigurationKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .quantum: quantum = try checked(value.integer) { Self.quanta.contains($0) }
        case .startStop: sharesStarts = try checked(value.boolean)
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    public func value(of key: LinkConfigurationKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .quantum: "\(quantum)"
        case .startStop: "\(sharesStarts)"
        case .logLevel: quoted(logLevel.rawValue)
        }
    }
}
