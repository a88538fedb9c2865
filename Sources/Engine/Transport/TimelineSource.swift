/// A timeline that somebody outside holds: a song position at a time, going on at a tempo. That is all there is to Ableton
/// Link between two changes.
public struct Timeline: Sendable, BitwiseCopyable {
    /// The song position in beats that is played at ``usecs``.
    public var beat: Double
    /// JACK's time in µs, of a frame as in ``RtCycle/startUsecs``.
    public var usecs: Int64
    /// Beats per minute, 10 to 1000.
    public var bpm: Double
    /// Whether the music is to run; nil leaves that to us.
    public var isPlaying: Bool?
    /// From when on ``isPlaying`` holds, in µs of JACK's time.
    public var playingUsecs: Int64
    /// Counts the starts and stops: those between two timelines that are taken may be missed, as only the newest counts.
    public var orderCount: Int
    /// Counts who holds it: what one holder said of starts and stops says nothing about another's.
    public var holder: Int
    /// It is joined on a multiple of so many beats; nil leaves that to the settings.
    public var quantum: Double?

    /// A timeline.
    @_noLocks @_noAllocation
    public init(
        beat: Double, usecs: Int64, bpm: Double, isPlaying: Bool? = nil, playingUsecs: Int64 = 0, orderCount: Int = 0,
        holder: Int = 0, quantum: Double? = nil
    ) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.isPlaying = isPlaying
        self.playingUsecs = playingUsecs
        self.orderCount = orderCount
        self.holder = holder
        self.quantum = quantum
    }
}

/// What became of the timeline.
struct TimelineNews: BitwiseCopyable {
    /// Nil when nobody holds one.
    var timeline: Timeline?
    /// See ``Score/tempoRevision``.
    var tempoRevision: Int

    init(_ timeline: Timeline? = nil, tempoRevision: Int = 0) {
        self.timeline = timeline
        self.tempoRevision = tempoRevision
    }
}

/// A held timeline as a source of time.
struct TimelineSource: BitwiseCopyable {
    /// A start or stop that the holder published.
    enum Order: BitwiseCopyable {
        case nothing
        /// From a time in µs on.
        case start(Int64)
        case stop
    }

    /// The timeline, nil while nobody holds one.
    private(set) var timeline: Timeline?
    /// See ``TimelineNews/tempoRevision``.
    private(set) var tempoRevision = 0
    /// Whether the newest start or stop has not been obeyed.
    private var isOrdered = false

    /// Whether somebody holds a timeline.
    var isPresent: Bool { timeline != nil }

    /// Applies the holder's last timeline, or that no client holds one any more. A timeline that starts or stops nothing new
    /// orders nothing; a holder's first one that does not start the music does not stop it either.
    mutating func apply(_ news: TimelineNews) {
        let new = news.timeline
        let old = timeline?.holder == new?.holder ? timeline : nil
        timeline = new
        tempoRevision = news.tempoRevision
        guard let new, let isPlaying = new.isPlaying else {
            isOrdered = false
            return
        }
        let wasPlaying = old?.isPlaying ?? false
        let isRepeated = old == nil || old?.isPlaying == nil || old?.orderCount == new.orderCount
        if isPlaying != wasPlaying || !isRepeated { isOrdered = true }
    }

    /// Begins to drive: a stop that was published before concerns us no more.
    mutating func join() {
        let isPlaying = timeline?.isPlaying ?? false
        if !isPlaying { isOrdered = false }
    }

    /// The start or stop to be obeyed by a time in µs; it is returned once.
    mutating func takeOrder(by usecs: Int64) -> Order {
        guard isOrdered, let timeline, let isPlaying = timeline.isPlaying else { return .nothing }
        if isPlaying {
            isOrdered = false
            return .start(timeline.playingUsecs)
        }
        guard timeline.playingUsecs <= usecs else { return .nothing }
        isOrdered = false
        return .stop
    }

    /// We start or stop ourselves: what was ordered before is over.
    mutating func overrule() { isOrdered = false }

    /// Where the timeline is at a time in µs.
    func course(at usecs: Int64) -> Course {
        guard let timeline else { return Course(isRunning: false, position: 0, bpm: 120) }
        let beats = timeline.beat + Double(usecs - timeline.usecs) * timeline.bpm / 60e6
        return Course(isRunning: true, position: beats * 4, bpm: timeline.bpm)
    }
}
