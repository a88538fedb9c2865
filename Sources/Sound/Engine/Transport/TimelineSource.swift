import Instrument
import Music

/// A change of the timeline.
public struct TimelineNews: Sendable, BitwiseCopyable {
    /// With the times at which frames are played, on the clock of ``RtCycle/startUsecs``; nil when no client holds one.
    public var timeline: Timeline?
    /// Grows with each new holder, whose starts and stops have nothing to do with the last one's.
    public var holder = 0
    /// Counts the holder's starts and stops, as only the newest timeline is read: those in between would be missed.
    public var orderCount = 0
    /// The current ``Score/tempoRevision``: a tempo set later overrides the one that a timeline leaves behind.
    public var tempoRevision = 0

    /// No client holds a timeline.
    public init() {}
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

    private var news = TimelineNews()
    /// Whether the newest start or stop is still pending.
    private var isOrdered = false

    /// The timeline; nil while no client holds one.
    var timeline: Timeline? { news.timeline }
    /// See ``TimelineNews/tempoRevision``.
    var tempoRevision: Int { news.tempoRevision }
    /// Whether a client holds a timeline.
    var isPresent: Bool { timeline != nil }

    /// Applies the newest timeline, or that no client holds one any more. A timeline that repeats the last start or
    /// stop orders nothing. A holder's first timeline can start the music, but not stop it.
    mutating func apply(_ new: TimelineNews) {
        let wasPlaying = news.holder == new.holder ? timeline?.isPlaying : nil
        let isRepeated = wasPlaying == nil || news.orderCount == new.orderCount
        news = new
        guard let isPlaying = timeline?.isPlaying else {
            isOrdered = false
            return
        }
        if isPlaying != (wasPlaying ?? false) || !isRepeated { isOrdered = true }
    }

    /// The timeline begins to drive: a stop that was published before no longer applies.
    mutating func join() {
        let isPlaying = timeline?.isPlaying ?? false
        if !isPlaying { isOrdered = false }
    }

    /// The start or stop to carry out at a time in µs; returned once.
    mutating func fetchOrder(by usecs: Int64) -> Order {
        guard isOrdered, let timeline, let isPlaying = timeline.isPlaying else { return .nothing }
        if isPlaying {
            isOrdered = false
            return .start(timeline.playingUsecs ?? 0)
        }
        guard timeline.playingUsecs ?? 0 <= usecs else { return .nothing }
        isOrdered = false
        return .stop
    }

    /// We start or stop ourselves: an earlier order no longer applies.
    mutating func overrule() { isOrdered = false }

    /// Where the timeline is at a time in µs.
    func course(at usecs: Int64) -> Course {
        guard let timeline else { return Course(isRunning: false, position: 0, bpm: 120) }
        let beats = timeline.beat + Double(usecs - timeline.usecs) * timeline.bpm / 60e6
        return Course(isRunning: true, position: beats * 4, bpm: timeline.bpm)
    }
}
