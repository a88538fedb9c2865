import NIOCore
import ServerSupport

public struct GatewaySettings: Sendable {
    /// The daemon's control socket.
    var socketPath: String
    var access = Access()
    /// Host names of the gateway, besides the machine's own.
    var hosts: [String] = []
    /// Makes the TLS handler of a connection; nil for plain connections.
    public var encryption: (@Sendable () throws -> any ChannelHandler)?
    /// Pages that may be connected to the daemon at once.
    public internal(set) var maximumPages = 64
    /// Connections of all kinds that may be open at once.
    var connectionLimits = HostQuota.Limits(total: 1024, perHost: 192, reserved: 128)
    /// Connections from an address that may wait to send their token.
    var maximumWaiting = 10
    /// Reads the token's file, on a thread of its own.
    var readToken: @Sendable (TokenFile) throws(TokenFile.Failure) -> Token? = { (file) throws(TokenFile.Failure) in
        try file.read()
    }
    /// How long a request may take to arrive, and a connection may be idle between requests.
    var requestTime = Duration.seconds(10)
    /// How long a page has to present its token.
    var tokenTime = Duration.seconds(5)
    /// How long the daemon has to answer.
    var daemonTime = Duration.seconds(5)
    /// Time between two pings.
    var pingInterval = Duration.seconds(20)
    /// How long the other side has to close the connection.
    var closeTime = Duration.seconds(1)

    public init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// With `hosts` or `origins` everybody needs the token, because a proxy's connections come from this machine too.
    ///
    /// - Parameters:
    ///   - hosts: Host names of the gateway, besides the machine's own.
    ///   - origins: Origins of other sites whose pages may connect.
    ///   - demandsToken: Whether browsers on this machine need the token too.
    public init(socketPath: String, hosts: [String], origins: [String], demandsToken: Bool) {
        self.socketPath = socketPath
        self.hosts = hosts
        access = Access(
            names: HostNames(further: hosts), origins: Set(origins.compactMap { PageOrigin($0) }),
            demandsToken: demandsToken)
    }

    /// Whether browsers on this machine need the token too.
    public var everybodyNeedsToken: Bool { access.everybodyNeedsToken }

    /// Sets how many pages may be connected to the daemon at once, and how many connections may be open. A page and its
    /// loudspeaker each need a second connection, to the daemon; one address may have all pages, and a few connections
    /// to load them. Some connections are reserved for this machine.
    ///
    /// - Parameter descriptors: The system's limit on open files.
    public mutating func limit(pages: Int, descriptors: Int) {
        maximumPages = max(1, min(pages, descriptors / 5))
        let total = max(2, min(2 * (pages + 960), descriptors - 2 * maximumPages))
        connectionLimits = HostQuota.Limits(
            total: total, perHost: min(2 * maximumPages + 64, total - total / 8), reserved: total / 8)
    }

    /// The longest head of a request in bytes.
    static let maximumHead = 16_384
    /// The longest message of a page in bytes; the daemon accepts no longer lines.
    static let maximumMessage = 1 << 21
    /// The most fragments that a message may come in. Browsers cut a message of 2 MiB into 16 or more.
    static let maximumFragments = 4096
    /// The longest message in bytes before a page has sent the right token.
    static let maximumAuthentication = 512
    /// The memory of all incomplete messages, in bytes, beyond which each is limited to ``shortMessage``.
    static let maximumUnfinished = 8 << 20
    /// The memory that an incomplete message may always use, in bytes.
    static let shortMessage = 16_384
    /// The longest line of the daemon in bytes: the most that it queues for a client.
    static let maximumLine = 1 << 22
    /// Bytes queued for a page below which reading from the daemon resumes, and above which it stops.
    static let waitingBytes = 16_384...32_768
}
