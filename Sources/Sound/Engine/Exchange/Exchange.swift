import Instrument
import Music
import Synchronization

/// Everything that the control thread and the process callback share, changed only through atomics.
struct Exchange: ~Copyable {
    let scores: ScoreExchange
    let timelines = TripleBuffer(TimelineNews())
    let samples = SampleExchange()
    let punchIns = TripleBuffer(PunchIns())
    let commands = Ring(capacityBits: 8, SentCommand(command: .stop, usecs: 0))
    let keys = Ring(capacityBits: 10, SentKey())
    let sinks = Sinks()
    let takes: TakeRing
    /// The driver's number of the frame after the newest period. The callback stores it before it looks for scores and
    /// commands; the control thread reads it after publishing them, all sequentially consistent. If a change came too
    /// late for a period, the control thread thus reads the frame after that period here.
    let nextFrame = Atomic<Int64>(0)

    /// - Parameter takeCapacity: The bytes of takes that wait for the control thread at most.
    init(score: Score, takeCapacity: Int) {
        scores = ScoreExchange(score)
        takes = TakeRing(capacity: takeCapacity)
    }

    /// The callback begins a cycle.
    func begin(_ cycle: RtCycle) {
        nextFrame.store(cycle.startFrame + Int64(cycle.frameCount), ordering: .sequentiallyConsistent)
    }

    /// Whether the control thread has published or sent anything that is unread.
    var hasNews: Bool {
        commands.count > 0 || keys.count > 0 || scores.hasNews || timelines.hasNews || samples.hasNews
            || punchIns.hasNews
    }
}

/// What the process callback reports to the control thread.
struct Sinks: ~Copyable {
    private let noticeMemory = FixedArray(count: 1) { _ in NoticeRing() }
    let reports = TripleBuffer(TransportReport())
    let peaks = TrackPeaks()
    let scope = ScopeExchange()
    let blocks = BlockExchange()
    let midi = MidiExchange()

    /// Valid as long as the sinks.
    var notices: Notices { unsafe Notices(noticeMemory.elements) }

    /// Whether anyone wants to see or hear the output.
    var isWatched: Bool { scope.isWanted || blocks.isWanted }
}

/// The meters of the tracks' ports.
struct TrackPeaks: ~Copyable {
    private let holds = FixedArray(count: trackCount) { _ in PeakHold() }

    func report(_ level: Float, track: Int) {
        holds[track].report(level)
    }

    func fetch(track: Int) -> Float {
        holds[track].fetch()
    }
}

/// A notice, and how many commands had been carried out before its period.
struct StampedNotice: BitwiseCopyable {
    var notice: RtNotice
    var obeyedCommands: UInt
}

/// The notices of an ``Exchange``: a reference that costs nothing to copy.
@safe
struct Notices: BitwiseCopyable {
    private let ring: UnsafePointer<NoticeRing>

    fileprivate init(_ ring: UnsafePointer<NoticeRing>) { unsafe self.ring = ring }

    /// Notices lost since the start.
    var droppedCount: UInt64 { unsafe ring.pointee.dropped.value }

    /// Stamps the notices from now on with this many commands.
    func stamp(_ obeyedCommands: UInt) {
        unsafe ring.pointee.obeyedCommands.store(obeyedCommands, ordering: .relaxed)
    }

    /// Whether there is room for another notice.
    var hasRoom: Bool { unsafe ring.pointee.notices.slotToFill() != nil }

    /// Adds a notice, or counts it as lost if there is no room, because none was read for several seconds.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    func push(_ notice: RtNotice) -> Bool { unsafe ring.pointee.push(notice) }

    /// The oldest notice, nil when none waits.
    func pop() -> StampedNotice? { unsafe ring.pointee.notices.pop() }
}

/// Notices on their way from the process callback to the control loop.
struct NoticeRing: ~Copyable {
    let notices = Ring(
        capacityBits: 10,
        StampedNotice(
            notice: .transport(state: .stopped, step: 0, songStep: SongStep(0, in: Loop(length: stepCount))),
            obeyedCommands: 0))
    let dropped = Counter()
    /// How many commands have been carried out; used by the callback only.
    let obeyedCommands = Atomic<UInt>(0)

    func push(_ notice: RtNotice) -> Bool {
        let stamped = StampedNotice(notice: notice, obeyedCommands: obeyedCommands.load(ordering: .relaxed))
        let isAdded = notices.push(stamped)
        if !isAdded { dropped.add(1) }
        return isAdded
    }
}

/// A command, and when it was sent in µs.
struct SentCommand: BitwiseCopyable {
    var command: RtCommand
    var usecs: UInt64

    /// Whether it is an audition, which nobody wants to hear late, and too late.
    func isTooLate(in cycle: RtCycle) -> Bool {
        guard case .audition = command else { return false }
        return cycle.isLate(for: usecs)
    }
}

extension RtCycle {
    /// Whether what was sent at a time in µs waited much longer than until the next period, as it does when the server
    /// hangs.
    func isLate(for usecs: UInt64) -> Bool {
        let age = Double(Int64(bitPattern: nowUsecs &- usecs))
        return age > 100_000 + Double(frameCount) * usecsPerFrame
    }
}
