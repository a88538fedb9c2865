import Instrument
import Music

/// What the driver is doing.
public struct JackStatus: Sendable, Equatable {
    public var state: DriverState
    /// Why there is no sound, in words; empty while running.
    public var reason: String
    /// What JACK assigned, while running; else nil.
    public var session: JackSession?
    /// Whether JACK's library hangs for good, so that only a restart of the process brings sound back.
    public var needsRestart = false

    /// A status without a JACK session.
    static func silent(_ state: DriverState, _ reason: String) -> JackStatus {
        JackStatus(state: state, reason: reason, session: nil)
    }
}

/// What a JACK server assigned to this client.
public struct JackSession: Sendable, Equatable {
    /// The client's name as JACK made it unique.
    public var clientName: String
    /// Frames per second.
    public var sampleRate: Int
    /// Frames per period.
    public var period: Int
    /// The process thread's real-time priority, nil when it runs with ordinary scheduling.
    public var realtimePriority: Int?
    /// Frames from a sample's time, as JACK counts it, to when it leaves the speakers: of the main ports or, if these
    /// are not connected, of the tracks' ports.
    public var playbackLatency = 0
    /// The ports' connections; unconnected ports are left out.
    public var connections: JackConnections = [:]
}

/// An event that the driver reports to its owner.
public enum JackEvent: Sendable, Equatable {
    case status(JackStatus)
    /// The connections to remember changed.
    case connections(JackConnections)
    /// JACK reported xruns: how many in all since the start. At most once a second.
    case xruns(total: Int)
    /// A problem, in words, that does not stop the audio.
    case warning(String)
}

/// Figures of the driver since its start.
public struct JackStatistics: Sendable, Equatable {
    /// Process callbacks.
    public var cycles: Int
    public var xruns: Int
    /// JACK's estimate of its load in percent of the period, all clients together.
    public var load: Double
    /// The longest process callback in µs.
    public var worstCallback: Double
    /// Whether JACK is in freewheel mode: as fast as it can, without a sound card's clock.
    public var isFreewheeling: Bool
}
