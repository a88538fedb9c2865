/// What audio may be like. Computed, because a stored global would be initialised behind a lock.
public enum AudioLimits {
    /// Frames per second that can be played.
    public static var sampleRates: ClosedRange<Int> { 8000...highestRate }

    /// The most frames per second that can be played.
    public static var highestRate: Int { @_noLocks @_noAllocation get { 192_000 } }

    /// Frames in the longest period.
    public static var longestPeriod: Int { @_noLocks @_noAllocation get { 8192 } }

    /// Frames per period that the internal driver can play.
    public static var periods: ClosedRange<Int> { 16...longestPeriod }
}

/// What calls the engine for audio.
public enum AudioDriver: String, CaseIterable, Sendable {
    /// A JACK server.
    case jack
    /// A thread of the daemon's own.
    case own = "internal"
}

/// When touches let the notes they are about to write sound.
public enum AuditionMode: String, CaseIterable, Sendable {
    /// While the transport is stopped or paused.
    case whenNotPlaying = "stopped"
    case always
    case never
}

/// What the audio driver is doing.
public enum DriverState: String, CaseIterable, Sendable {
    case running
    case noServer = "no server"
    case lost
    case off
}
