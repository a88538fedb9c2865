import NIOCore

/// How the gateway serves.
public struct GatewaySettings: Sendable {
    /// The daemon's control socket.
    var socketPath: String
    /// Who gets in.
    var access = Access()
    /// Makes what encrypts a connection; nil for connections that are not.
    public var encryption: (@Sendable () throws -> any ChannelHandler)?
    /// Pages that may be connected to the daemon at once.
    public var maximumPages = 64
    /// Connections of all kinds that may be open at once.
    var maximumConnections = 1024
    /// How long a request may take to come, and a connection be idle between two.
    var requestTime = Duration.seconds(10)
    /// How long a page has to present its token.
    var tokenTime = Duration.seconds(5)
    /// How long the daemon has to answer.
    var daemonTime = Duration.seconds(5)
    /// Time between two pings.
    var pingInterval = Duration.seconds(20)
    /// How long a page has to answer that it is closed.
    var closeTime = Duration.seconds(1)

    /// How often the token's file is looked at.
    var tokenInterval = Duration.milliseconds(500)

    /// Serves what a control socket offers.
    public init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// Serves what a control socket offers.
    ///
    /// - Parameters:
    ///   - hosts: Names that the gateway may be called by, besides the machine's own. A proxy in front comes from this
    ///     machine as well, so that nobody gets in without the token then.
    ///   - origins: Pages of others that may connect.
    ///   - demandsToken: Whether browsers on this machine need the token too.
    public init(socketPath: String, hosts: [String], origins: [String], demandsToken: Bool) {
        self.socketPath = socketPath
        access = Access(
            names: HostNames(further: hosts), origins: Set(origins.compactMap { Origin($0) }),
            demandsToken: demandsToken || !hosts.isEmpty)
    }

    /// Bytes that a request's head may have.
    static let maximumHead = 16_384
    /// Bytes that a message of a page may have; the daemon takes no longer lines.
    static let maximumMessage = 1 << 19
    /// Bytes that a line of the daemon may have: what it lets pile up for a client.
    static let maximumLine = 1 << 20
    /// Bytes that wait for a page before the daemon is read no more, and before it is read again.
    static let waitingBytes = 16_384...32_768
}
