/// Everything that the gateway can be told.
public enum WebConfigurationKey: String, SettingKey {
    case socket
    case listen
    case network = "lan"
    case host
    case origin
    case token
    case tokenFile = "token-file"
    case certificate = "tls-certificate"
    case privateKey = "tls-key"
    case maxClients = "max-clients"
    case logLevel = "log-level"

    /// `pixelboop-web`
    public static let program = "pixelboop-web"
    /// `PIXELBOOP_WEB_`
    public static let prefix = "PIXELBOOP_WEB_"

    /// The runtime directory for the socket, the home directory for the token.
    public var base: String? {
        switch self {
        case .socket: "XDG_RUNTIME_DIR"
        case .tokenFile: "HOME"
        default: nil
        }
    }

    /// `--lan` and `--token`.
    public var isSwitch: Bool { self == .network || self == .token }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .listen: "addresses with a port each, like \"192.168.1.2:8044\" or \"[::1]:8044\""
        case .network, .token: "true or false"
        case .host: "names without a port, like \"studio.example.org\""
        case .origin: "addresses of pages, like \"https://studio.example.org\""
        case .tokenFile, .certificate, .privateKey: "an absolute path"
        case .maxClients:
            "an integer from \(WebConfiguration.clientLimits.lowerBound) to \(WebConfiguration.clientLimits.upperBound)"
        case .logLevel: LogLevel.expectation
        }
    }
}
