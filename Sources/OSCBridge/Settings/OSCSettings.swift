import Configuration

/// Everything that the OSC bridge can be told.
public enum OSCKey: String, SettingKey {
    case socket
    case listen
    case maxClients = "max-clients"
    case logLevel = "log-level"

    /// `pixelboop-osc`
    public static let program = "pixelboop-osc"
    /// `PIXELBOOP_OSC_`
    public static let prefix = "PIXELBOOP_OSC_"

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .listen: "addresses with a port each, like \"192.168.1.2:9044\" or \"[::1]:9044\""
        case .maxClients:
            "an integer from \(OSCSettings.clientLimits.lowerBound) to \(OSCSettings.clientLimits.upperBound)"
        case .logLevel: LogLevel.expectation
        }
    }
}

/// How the OSC bridge is to run.
public struct OSCSettings: Equatable, Sendable {
    /// The daemon's control socket.
    public var socketPath: String
    /// Where to listen, by UDP and by TCP; loopback unless told otherwise.
    public var listening: [ListenAddress] = [ListenAddress(address: "127.0.0.1", port: 9044)]
    /// Senders that may be served at once.
    public var maxClients = 64
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// How many senders may be allowed.
    static let clientLimits = 1...1024

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) { socketPath = directories.controlSocket ?? "" }
}

extension OSCSettings: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: OSCKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .listen:
            let words = try checked(value.words) { !$0.isEmpty }
            listening = words.compactMap { ListenAddress($0) }
            guard listening.count == words.count else { throw BadValue() }
        case .maxClients: maxClients = try checked(value.integer) { Self.clientLimits.contains($0) }
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file.
    public func value(of key: OSCKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .listen: list(listening.map(\.text))
        case .maxClients: "\(maxClients)"
        case .logLevel: quoted(logLevel.rawValue)
        }
    }
}
