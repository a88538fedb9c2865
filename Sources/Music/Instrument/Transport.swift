/// Whether the music plays.
public enum PlayState: String, CaseIterable, Sendable, BitwiseCopyable {
    case stopped
    case playing
    case paused
}

extension PlayState {
    // Audio threads compare these. Swift 6.2 would compare their texts, for which it counts references.

    @_noLocks @_noAllocation
    public static func == (one: PlayState, other: PlayState) -> Bool { one.place == other.place }

    @_noLocks @_noAllocation
    public static func != (one: PlayState, other: PlayState) -> Bool { one.place != other.place }

    private var place: Int {
        switch self {
        case .stopped: 0
        case .playing: 1
        case .paused: 2
        }
    }
}

/// Whether the step clock runs, and where it is.
public struct TransportStatus: Equatable, Sendable {
    /// Whether the step clock runs.
    public var state: PlayState
    /// The current step, 0 to 31; 0 when stopped, unless `locate` chose another to start from.
    public var step: Int
    /// Whether the MIDI input is recorded while the clock runs.
    public var record: Bool

    public init(state: PlayState, step: Int, record: Bool = false) {
        self.state = state
        self.step = step
        self.record = record
    }
}

/// A request to the step clock.
public enum TransportRequest: Equatable, Sendable {
    /// Play from the current position; needs an audio driver.
    case play
    /// Stop, and return to step 0.
    case stop
    /// Stop at the current position.
    case pause
    /// Stop if playing, else play.
    case toggle
    /// Go to a step below the length.
    case locate(Int)
    /// Start or stop recording the MIDI input while the clock runs.
    case record(Bool)
}
