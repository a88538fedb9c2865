import Configuration

/// Everything that the controllers' program can be told.
public enum GridKey: String, SettingKey {
    case socket
    case jackServer = "jack-server"
    case serialosc
    case follow
    case logLevel = "log-level"

    /// `pixelboop-grid`
    public static let program = "pixelboop-grid"
    /// `PIXELBOOP_GRID_`
    public static let prefix = "PIXELBOOP_GRID_"

    /// `--follow`
    public var isSwitch: Bool { self == .follow }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .jackServer: "a name of 1 to \(Configuration.jackServerLimit) bytes without slashes and control characters"
        case .serialosc: "serialosc's port on this machine, an integer from 1 to 65535"
        case .follow: "true or false"
        case .logLevel: LogLevel.expectation
        }
    }
}

/// How controllers are to play the grid.
public struct GridSettings: Equatable, Sendable {
    /// The daemon's control socket.
    public var socketPath: String
    /// The JACK server's name; nil for JACK's own default.
    public var jackServer: String?
    /// serialosc's port on this machine.
    public var serialoscPort = 12_002
    /// Whether pages follow the step that plays.
    public var follows = false
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) { socketPath = directories.controlSocket ?? "" }
}

extension GridSettings: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: GridKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .jackServer: jackServer = try checked(value.name(atMost: Configuration.jackServerLimit, without: "/"))
        case .serialosc: serialoscPort = try checked(value.integer) { (1...65_535).contains($0) }
        case .follow: follows = try checked(value.boolean)
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    public func value(of key: GridKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .jackServer: jackServer.flatMap { quoted($0) }
        case .serialosc: "\(serialoscPort)"
        case .follow: "\(follows)"
        case .logLevel: quoted(logLevel.rawValue)
        }
    }
}
