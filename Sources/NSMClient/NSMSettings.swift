import Configuration

/// Everything that the session manager's client can be told.
public enum NSMKey: String, SettingKey {
    case socket
    case logLevel = "log-level"

    /// `pixelboop-nsm`
    public static let program = "pixelboop-nsm"
    /// `PIXELBOOP_NSM_`
    public static let prefix = "PIXELBOOP_NSM_"
    /// A socket for each session.
    public static let socketDefault = "$XDG_RUNTIME_DIR/pixelboop/sessions/CLIENT.sock"

    /// Not the variable of all programs, which names a socket for clients.
    public var variable: String { Self.prefix + rawValue.uppercased().replacing("-", with: "_") }

    /// None: where the socket is, the session decides.
    public var base: String? { nil }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .logLevel: LogLevel.expectation
        }
    }
}

/// How the session manager's client is to run.
public struct NSMSettings: Equatable, Sendable {
    /// Where the session's daemon listens; empty for a place that is named after the session's client.
    public var socketPath = ""
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) {}
}

extension NSMSettings: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: NSMKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    public func value(of key: NSMKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .logLevel: quoted(logLevel.rawValue)
        }
    }
}
