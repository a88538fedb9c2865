import JackAudio
import Session

/// How the daemon runs.
public struct DaemonSettings: Sendable {
    /// The control socket.
    public var socketPath: String
    /// Whether the socket's directory is the daemon's own, so that it sets its permissions.
    public var ownsSocketDirectory: Bool
    /// Where the session is kept.
    public var stateDirectory: String
    /// Where the library is kept.
    public var dataDirectory: String
    /// How to present itself to JACK.
    public var jack: JackConfiguration
    /// When touches let notes sound.
    public var audition = AuditionMode.whenNotPlaying
    /// Clients that may be connected at once.
    public var maximumClients = 1024

    /// Settings with the given places and the defaults for the rest.
    public init(
        socketPath: String, ownsSocketDirectory: Bool, stateDirectory: String, dataDirectory: String,
        jack: JackConfiguration = JackConfiguration()
    ) {
        self.socketPath = socketPath
        self.ownsSocketDirectory = ownsSocketDirectory
        self.stateDirectory = stateDirectory
        self.dataDirectory = dataDirectory
        self.jack = jack
    }
}
