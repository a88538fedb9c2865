import Music

/// The current source of tempo and position, and where ours are published.
public struct SyncState: Equatable, Sendable {
    /// The source that is followed, ``SyncSource/own`` for none.
    public var following: SyncSource
    /// Where our tempo and position are published: the leads in the settings that are currently possible.
    public var leading: [SyncLead]
    /// The tempo that plays in beats per minute, to two decimals.
    public var bpm: Double
    /// Whether the music is in step with the source.
    public var locked: Bool
    /// The name of the client that holds the timeline, nil when none does.
    public var holder: String?
    /// The tempo of that timeline, whether it is followed or not.
    public var holderBpm: Double?
    /// How many others share the timeline, such as the peers of a Link session; nil if the holder did not report it.
    public var peers: Int?
    /// Whether a second MIDI clock ticks at the input, which is not followed.
    public var hasSecondClock: Bool

    /// By default, neither follows nor leads.
    public init(
        following: SyncSource = .own, leading: [SyncLead] = [], bpm: Double = 120, locked: Bool = true,
        holder: String? = nil, holderBpm: Double? = nil, peers: Int? = nil, hasSecondClock: Bool = false
    ) {
        self.following = following
        self.leading = leading
        self.bpm = bpm
        self.locked = locked
        self.holder = holder
        self.holderBpm = holderBpm
        self.peers = peers
        self.hasSecondClock = hasSecondClock
    }
}

/// A timeline that a client holds: a song position at a time, continuing at a tempo. That is all there is to Ableton
/// Link between two changes.
public struct Timeline: Sendable, BitwiseCopyable {
    /// The song position in beats at ``usecs``.
    public var beat: Double
    /// JACK's time in µs: from clients, when that position is heard; for the engine, when it is played.
    public var usecs: Int64
    /// Beats per minute, 10 to 1000.
    public var bpm: Double
    /// Whether the music should run; nil leaves that to players.
    public var isPlaying: Bool?
    /// When ``isPlaying`` takes effect, in µs of JACK's time; nil for now.
    public var playingUsecs: Int64?
    /// It is joined on a multiple of this many beats; nil leaves that to the settings.
    public var quantum: Double?
    /// How many others share it; nil if that is not known.
    public var peers: Int?

    public init(
        beat: Double, usecs: Int64, bpm: Double, isPlaying: Bool? = nil, playingUsecs: Int64? = nil,
        quantum: Double? = nil, peers: Int? = nil
    ) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.isPlaying = isPlaying
        self.playingUsecs = playingUsecs
        self.quantum = quantum
        self.peers = peers
    }
}

/// What plays at a moment, for those who want to play along.
public struct TimelineState: Equatable, Sendable {
    /// The song position in beats.
    public var beat: Double
    /// JACK's time in µs at which that is heard.
    public var usecs: Int
    /// Beats per minute.
    public var bpm: Double
    /// Whether the music runs.
    public var playing: Bool
    /// A timeline is joined on a multiple of this many beats.
    public var quantum: Double

    public init(beat: Double, usecs: Int, bpm: Double, playing: Bool, quantum: Double = 4) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.playing = playing
        self.quantum = quantum
    }
}

/// A player's request to the client whose timeline is followed; the client may ignore it.
public enum TimelineRequest: Equatable, Sendable {
    /// Another tempo in beats per minute.
    case tempo(Double)
    case play
    case stop
}
