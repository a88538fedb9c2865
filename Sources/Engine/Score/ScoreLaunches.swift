import Music

/// The queued launches of a score.
///
/// The process callback decides when one is due. From then on it plays the notes here, until a score arrives that
/// already includes the launch, by its number.
public struct ScoreLaunches: Sendable, BitwiseCopyable {
    /// What each track's launch plays, like ``Score/notes``.
    public var notes: ScoreSteps = PerTrack(repeating: PerStep(repeating: StepNotes()))
    /// One for each track.
    public var tracks: PerTrack<TrackLaunch> = PerTrack(repeating: TrackLaunch())

    /// Bytes before the tracks' launches.
    static var tracksOffset: Int { MemoryLayout<ScoreSteps>.size }
}

/// The queued launch of a track.
public struct TrackLaunch: Sendable, BitwiseCopyable {
    /// Launches of a track are numbered upward from 1; 0 if none is queued.
    public var number: Int64 = 0
    /// The newest launch that the score's notes include; a later one that has happened stays in effect.
    public var known: Int64 = 0
    /// The slot to play, from 0.
    public var slot: Int32 = 0
    /// The slot of the score's notes.
    public var playing: Int32 = 0
    /// The length and speed of the slot to play, and of the slot of the score's notes.
    public var (time, playingTime) = (SlotTime(), SlotTime())
    /// The steps on which it may take effect.
    public var point = LaunchQuantum.step
    /// Whether it continues a chain: then not with the step that the music starts with, as the slot before it plays its
    /// loop first.
    public var isLink = false

    @_noLocks @_noAllocation
    public init() {}
}
