/// How the gateway is to run: every setting, from wherever it comes.
public struct WebConfiguration: Equatable, Sendable {
    /// The daemon's control socket.
    public var socketPath: String
    /// Where to listen; this machine only, unless something else is asked for.
    public var listening: [ListenAddress] = []
    /// Whether to listen on all addresses of this machine.
    public var isOpenToNetwork = false
    /// Further names that the gateway may be called by.
    public var hosts: [String] = []
    /// Pages of others that may connect.
    public var origins: [String] = []
    /// Whether everybody needs the token, from this machine too.
    public var demandsToken = false
    /// Where the token is kept.
    public var tokenFile: String
    /// The certificate and those that signed it, in PEM; nil for HTTP without encryption.
    public var certificate: String?
    /// The certificate's private key, in PEM.
    public var privateKey: String?
    /// Pages that may be connected at once.
    public var maxClients = 64
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// How many pages may be allowed to connect.
    public static let clientLimits = 1...4096
    /// The port unless told otherwise.
    public static let standardPort = 8044

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) {
        socketPath = directories.controlSocket ?? ""
        tokenFile = directories.state.map { "\($0)/web-token" } ?? ""
    }
}

/// An address to listen on.
public struct ListenAddress: Equatable, Sendable {
    /// A literal IPv4 or IPv6 address.
    public var address: String
    /// From 0, which stands for any that is free, to 65535.
    public var port: Int

    /// An address.
    public init(address: String, port: Int) {
        self.address = address
        self.port = port
    }

    /// Reads `192.168.1.2:8044` or `[fe80::1]:8044`; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let address = text[..<colon]
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        guard !address.isEmpty, isBracketed == address.contains(":") else { return nil }
        self.init(address: String(isBracketed ? address.dropFirst().dropLast() : address), port: port)
        guard isLiteral else { return nil }
    }

    /// As it is written: `192.168.1.2:8044` or `[fe80::1]:8044`.
    public var text: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
