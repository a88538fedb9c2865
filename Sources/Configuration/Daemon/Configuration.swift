/// How the daemon is to run: every setting, from wherever it comes.
public struct Configuration: Equatable, Sendable {
    /// Where the control socket is.
    public var socketPath: String
    /// The group whose members may connect besides the daemon's own user; nil for none.
    public var socketGroup: Group?
    /// Clients that may be connected at once.
    public var maxClients = 1024
    /// The JACK server's name; nil for JACK's own default.
    public var jackServer: String?
    /// The name under which the daemon appears in JACK.
    public var clientName = "pixelboop"
    /// Whether the outputs are connected to the system's playback ports.
    public var connectsOutputs = true
    /// Where the session is kept.
    public var stateDirectory: String
    /// Where the user's files are kept.
    public var dataDirectory: String
    /// When touches let notes sound.
    public var audition = Audition.stopped
    /// What a session follows until it is told otherwise.
    public var sync = Sync.own
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// How many clients may be allowed to connect.
    public static let clientLimits = 1...65_536
    /// The longest name of a JACK server, in bytes, that leaves room for the rest of its socket's path.
    public static let jackServerLimit = 64
    /// The longest client name, in bytes, that every JACK accepts (`JACK_CLIENT_NAME_SIZE`, less the terminating zero).
    public static let clientNameLimit = 32

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) {
        socketPath = directories.controlSocket ?? ""
        stateDirectory = directories.state ?? ""
        dataDirectory = directories.data ?? ""
    }

    /// Where the patterns of the library are, one file each.
    public var libraryDirectory: String { "\(dataDirectory)/patterns" }

    /// Where the kits of samples are, one folder each.
    public var kitDirectory: String { "\(dataDirectory)/kits" }

    /// When touches let notes sound.
    public enum Audition: String, CaseIterable, Sendable {
        /// While the transport is stopped or paused.
        case stopped
        case always
        case never
    }

    /// What tempo and position follow.
    public enum Sync: String, CaseIterable, Sendable {
        case own = "internal"
        case jack
        case midi
        case timeline
        /// The best that is present.
        case automatic = "auto"
    }

    /// A group of users.
    public struct Group: Equatable, Sendable {
        /// The name.
        public var name: String
        /// The system's number for it.
        public var id: UInt32

        /// A group.
        public init(name: String, id: UInt32) {
            self.name = name
            self.id = id
        }
    }
}
