/// The limits of audio. Computed, because a stored global would be initialised behind a lock.
public enum AudioLimits {
    /// Frames per second that can be played.
    public static var sampleRates: ClosedRange<Int> { 8000...highestRate }

    /// The most frames per second that can be played.
    public static var highestRate: Int { @_noLocks @_noAllocation get { 192_000 } }

    public static var longestPeriod: Int { @_noLocks @_noAllocation get { 8192 } }

    /// Frames per period that the internal driver can play.
    public static var periods: ClosedRange<Int> { 16...longestPeriod }

    /// How many times a pattern can be played in one export.
    public static var loopCounts: ClosedRange<Int> { 1...1000 }
}

/// The driver that calls the engine for audio.
public enum AudioDriver: String, CaseIterable, Sendable {
    /// A JACK server.
    case jack
    /// A thread of the daemon.
    case own = "internal"
}

/// When touches play the notes that they are about to write.
public enum AuditionMode: String, CaseIterable, Sendable {
    /// While the transport is stopped or paused.
    case whenNotPlaying = "stopped"
    case always
    case never
}

/// The state of the audio driver.
public enum DriverState: String, CaseIterable, Sendable {
    case running
    case noServer = "no server"
    case lost
    case off
}

/// The audio driver, and its state.
public struct AudioState: Equatable, Sendable {
    public var driver: AudioDriver
    public var status: DriverState
    /// Why there is no sound, in words; empty while running.
    public var reason: String
    /// Frames per second, nil while there is no sound.
    public var rate: Int?
    /// Frames per period, nil while there is no sound.
    public var period: Int?

    /// The state of a driver, by default JACK's.
    public init(
        driver: AudioDriver = .jack, status: DriverState, reason: String = "", rate: Int? = nil, period: Int? = nil
    ) {
        self.driver = driver
        self.status = status
        self.reason = reason
        self.rate = rate
        self.period = period
    }
}

/// How many MIDI messages were delayed, skipped or ignored since the daemon started.
public struct MidiCounts: Equatable, Sendable {
    /// Messages that had to wait for the next period, because the output had no room.
    public var delayed: Int
    /// Received messages that made no sense.
    public var skipped: Int
    /// Our own notes that came back at the MIDI input and were ignored.
    public var echoes: Int

    /// None by default.
    public init(delayed: Int = 0, skipped: Int = 0, echoes: Int = 0) {
        self.delayed = delayed
        self.skipped = skipped
        self.echoes = echoes
    }
}
