/// Everything that the daemon can be told.
public enum ConfigurationKey: String, SettingKey {
    case socket
    case socketGroup = "socket-group"
    case maxClients = "max-clients"
    case jackServer = "jack-server"
    case clientName = "client-name"
    case connect
    case stateDirectory = "state-dir"
    case dataDirectory = "data-dir"
    case audition
    case sync
    case logLevel = "log-level"

    /// `pixelboopd`
    public static let program = "pixelboopd"
    /// `PIXELBOOP_`
    public static let prefix = "PIXELBOOP_"

    /// The runtime directory for the socket, the home directory for the other paths.
    public var base: String? {
        switch self {
        case .socket: "XDG_RUNTIME_DIR"
        case .stateDirectory, .dataDirectory: "HOME"
        default: nil
        }
    }

    /// Only `--connect`, which is also `--no-connect`.
    public var isSwitch: Bool { self == .connect }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .socketGroup: "the name of a group on this machine"
        case .maxClients:
            "an integer from \(Configuration.clientLimits.lowerBound) to \(Configuration.clientLimits.upperBound)"
        case .jackServer: "a name of 1 to \(Configuration.jackServerLimit) bytes without slashes and control characters"
        case .clientName: "a name of 1 to \(Configuration.clientNameLimit) bytes without colons and control characters"
        case .connect: "true or false"
        case .stateDirectory, .dataDirectory: "an absolute path"
        case .audition: Configuration.Audition.allCases.map { "\"\($0.rawValue)\"" }.alternatives
        case .sync: Configuration.Sync.allCases.map { "\"\($0.rawValue)\"" }.alternatives
        case .logLevel: LogLevel.expectation
        }
    }
}
