/// Whether the music plays.
public enum PlayState: String, CaseIterable, Sendable, BitwiseCopyable {
    case stopped
    case playing
    case paused

    /// Whether both are the same; written out for the audio thread.
    @_noLocks @_noAllocation
    public static func == (one: PlayState, other: PlayState) -> Bool {
        switch (one, other) {
        case (.stopped, .stopped), (.playing, .playing), (.paused, .paused): true
        default: false
        }
    }
}

/// Whether the step clock runs, and where it is.
public struct TransportStatus: Equatable, Sendable {
    /// Whether the step clock runs.
    public var state: PlayState
    /// The current step, 0 to 31; 0 when stopped, unless `locate` chose another to start from.
    public var step: Int
    /// Whether what is played at the MIDI input is written while the clock runs.
    public var record: Bool

    /// Whether the step clock runs, where it is, and whether it records.
    public init(state: PlayState, step: Int, record: Bool = false) {
        self.state = state
        self.step = step
        self.record = record
    }
}

/// What may be asked of the step clock.
public enum TransportRequest: Equatable, Sendable {
    /// Play from where the clock stands; needs an audio driver.
    case play
    /// Stop, and return to step 0.
    case stop
    /// Stop, and stay.
    case pause
    /// Stop what plays, play what does not.
    case toggle
    /// Go to a step below the length.
    case locate(Int)
    /// Write what is played at the MIDI input while the clock runs, or no longer.
    case record(Bool)
}
