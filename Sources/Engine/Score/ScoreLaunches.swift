import Music

/// The queued launches of a score.
///
/// The process callback decides when one is due. From then on it plays the notes here, until a score arrives that
/// already includes the launch, by its number. It continues with the links of a chain by itself.
public struct ScoreLaunches: Sendable, BitwiseCopyable {
    /// What each track's launch plays, like ``Score/notes``.
    public var notes: ScoreSteps = PerTrack(repeating: PerStep(repeating: StepNotes()))
    /// One for each track.
    public var tracks: PerTrack<TrackLaunch> = PerTrack(repeating: TrackLaunch())

    /// Bytes before the tracks' launches.
    static var tracksOffset: Int { MemoryLayout<ScoreSteps>.size }
}

/// The queued launch of a track, and what follows it.
public struct TrackLaunch: Sendable, BitwiseCopyable {
    /// Launches of a track are numbered upward from 1, the links that follow one from its number on; 0 if none is queued.
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
    /// The slots that follow it, each on a step 0.
    public var links = ChainLinks()

    @_noLocks @_noAllocation
    public init() {}

    /// Whether it is the launch done last, or its chain has reached that one.
    func includes(_ done: Int64) -> Bool {
        number != 0 && (number == done || number < done && !links.isEmpty)
    }
}

/// The slots that follow a launch, over and over: a plain value in a score.
public struct ChainLinks: Sendable, BitwiseCopyable {
    private var slots: InlineArray<16, UInt8> = InlineArray(repeating: 0)
    private var count: UInt8 = 0

    /// No chain.
    @_noLocks @_noAllocation
    public init() {}

    /// The slots of a track, from 0; at most ``LaunchQueue/longestChain``.
    public init(_ indices: [Int]) {
        precondition(indices.count <= LaunchQueue.longestChain, "a chain has at most 16 links")
        count = UInt8(indices.count)
        for (place, index) in indices.enumerated() { slots[place] = UInt8(index) }
    }

    var isEmpty: Bool { count == 0 }

    /// The slot of a link, the first of which is 1; there must be a chain.
    func slot(ofLink link: Int64) -> Int32 { Int32(slots[Int((link - 1) % Int64(count))]) }
}

/// The slots of all tracks, for the links of chains. Not in scores, which are published much more often than chains change.
typealias ScoreSlots = InlineArray<32, ScoreSlot>

/// A slot's notes, motions and time: a plain value.
struct ScoreSlot: BitwiseCopyable {
    /// Without headless sustain cells.
    var notes: PerStep<StepNotes> = PerStep(repeating: StepNotes())
    var motions = TrackMotions()
    var time = SlotTime()

    /// Bytes before the motions.
    static var motionsOffset: Int { MemoryLayout<PerStep<StepNotes>>.size }

    init() {}

    init(_ slot: Slot, of pattern: Pattern) {
        let sounding = pattern.sounding(slot)
        for step in 0..<stepCount { notes[step] = sounding[step] }
        motions = TrackMotions(sounding.motions, length: pattern.length(of: slot))
        time = SlotTime(sounding)
    }
}

/// A launch that was carried out.
public struct DoneLaunch: Sendable, BitwiseCopyable {
    /// Its number; 0 for none.
    public var number: Int64 = 0
    /// The slot that it plays, from 0.
    public var slot: Int32 = 0
    /// The audio frame on which it took effect.
    public var frame: Int64 = 0
    /// JACK's time of that frame in µs.
    public var usecs: UInt64 = 0
}
