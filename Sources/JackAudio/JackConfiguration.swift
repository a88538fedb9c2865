/// How the driver presents itself to JACK.
public struct JackConfiguration: Sendable, Equatable {
    /// The server to join; nil for `$JACK_DEFAULT_SERVER`, or JACK's own default.
    public var serverName: String?
    /// The client's name; JACK appends a number when it is taken.
    public var clientName: String
    /// Whether the main ports connect to the first physical playback ports on the very first start.
    public var connectsAtFirst: Bool
    /// The connections of the last run; nil on the very first start.
    public var connections: JackConnections?
    /// Whether JACK's library prints its own messages, on standard error and standard output.
    public var printsLibraryMessages = false
    /// How long to wait for JACK.
    public var patience = JackPatience()

    /// The defaults: JACK's default server, the name `pixelboop`, connecting the main ports at first.
    public init(
        serverName: String? = nil, clientName: String = "pixelboop", connectsAtFirst: Bool = true,
        connections: JackConnections? = nil
    ) {
        self.serverName = serverName
        self.clientName = clientName
        self.connectsAtFirst = connectsAtFirst
        self.connections = connections
    }
}
