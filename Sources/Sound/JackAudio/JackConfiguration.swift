/// How the driver presents itself to JACK.
public struct JackConfiguration: Sendable, Equatable {
    /// The server to join; nil for `$JACK_DEFAULT_SERVER`, or JACK's own default.
    public var serverName: String?
    /// The client's name; JACK appends a number if it is in use.
    public var clientName: String
    /// Whether the main ports connect to the first physical playback ports on the very first start.
    public var connectsAtFirst: Bool
    /// The connections of the last run; nil on the very first start.
    public var connections: JackConnections?
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

/// How long the driver waits for JACK before it draws conclusions; the defaults are long enough for a busy stage. Tests
/// shorten them.
public struct JackPatience: Sendable, Equatable {
    /// The wait before the first attempt to reconnect; it doubles with each failure.
    public var firstRetry = Duration.milliseconds(250)
    /// The longest wait between attempts.
    public var longestRetry = Duration.seconds(4)
    /// How long JACK may not call for audio before it counts as hung; longer than any period.
    public var stall = Duration.seconds(2)
    /// How long a server that answers others, and knows us, may not call for audio before we reconnect.
    public var neglect = Duration.seconds(10)
    /// How long JACK's library may take to open or close a client.
    public var call = Duration.seconds(2)
    /// How long a connection is missing before it counts as removed by the user: JACK reports the loss of connections
    /// before that of a client's ports or of the server.
    public var doubt = Duration.seconds(1)

    /// The defaults.
    public init() {}

    /// The defaults with some changed, by name and in milliseconds, as in `stall=500 neglect=2500`; nil if invalid.
    public init?(_ text: String) {
        let names: [Substring: WritableKeyPath<JackPatience, Duration>] = [
            "firstRetry": \.firstRetry, "longestRetry": \.longestRetry, "stall": \.stall, "neglect": \.neglect,
            "call": \.call, "doubt": \.doubt,
        ]
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let name = names[parts[0]], let milliseconds = Int(parts[1]),
                (1...600_000).contains(milliseconds)
            else { return nil }
            self[keyPath: name] = .milliseconds(milliseconds)
        }
    }
}
