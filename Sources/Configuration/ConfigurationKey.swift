/// Everything that can be configured. A key is spelt the same everywhere: `max-clients` in the file, `--max-clients` as a
/// flag, `PIXELBOOP_MAX_CLIENTS` in the environment.
public enum ConfigurationKey: String, CaseIterable, Sendable {
    case socket
    case socketGroup = "socket-group"
    case maxClients = "max-clients"
    case jackServer = "jack-server"
    case clientName = "client-name"
    case connect
    case stateDirectory = "state-dir"
    case dataDirectory = "data-dir"
    case audition
    case logLevel = "log-level"

    /// The key in the configuration file.
    public var name: String { rawValue }

    /// The variable in the environment.
    public var variable: String {
        "PIXELBOOP_" + rawValue.uppercased().replacing("-", with: "_")
    }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(Configuration.socketPathLimit) bytes"
        case .socketGroup: "the name of a group on this machine"
        case .maxClients:
            "an integer from \(Configuration.clientLimits.lowerBound) to \(Configuration.clientLimits.upperBound)"
        case .jackServer: "the name of a JACK server"
        case .clientName: "a name of 1 to \(Configuration.clientNameLimit) bytes without a colon"
        case .connect: "true or false"
        case .stateDirectory, .dataDirectory: "an absolute path"
        case .audition: Configuration.Audition.allCases.map { "\"\($0.rawValue)\"" }.alternatives
        case .logLevel: Configuration.LogLevel.allCases.map { "\"\($0.rawValue)\"" }.alternatives
        }
    }

    /// Whether a running daemon takes a new value over when it is told to read its configuration again; the others need
    /// a restart.
    public var appliesWhileRunning: Bool {
        switch self {
        case .maxClients, .connect, .audition, .logLevel: true
        case .socket, .socketGroup, .jackServer, .clientName, .stateDirectory, .dataDirectory: false
        }
    }
}

extension [String] {
    /// `a, b or c`
    var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}
