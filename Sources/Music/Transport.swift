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

/// A tempo in beats (quarter notes, four steps) per minute, 20 to 300, kept to two decimals so that it is exact in files.
public struct Tempo: Hashable, Comparable, Sendable {
    /// Hundredths of a beat per minute, 2000 to 30000.
    public let hundredths: Int

    /// The tempi that the clock plays, in beats per minute.
    public static let range = 20.0...300.0

    /// A tempo rounded to two decimals, nil outside ``range`` or when not a number.
    public init?(bpm: Double) {
        guard Tempo.range.contains(bpm) else { return nil }
        hundredths = Int((bpm * 100).rounded())
    }

    /// A tempo that is in the range.
    init(_ bpm: Double) {
        hundredths = Int((bpm * 100).rounded())
    }

    /// A tempo in whole beats per minute, clamped into ``range``.
    public init(clamping bpm: Int) {
        hundredths = min(max(bpm, 20), 300) * 100
    }

    /// Beats per minute.
    public var bpm: Double { Double(hundredths) / 100 }

    /// The slower tempo is the lesser.
    public static func < (left: Tempo, right: Tempo) -> Bool { left.hundredths < right.hundredths }
}
