import Music
import Synchronization

/// A notice, and how many commands had been obeyed before its period.
struct StampedNotice: BitwiseCopyable {
    var notice: RtNotice
    var obeyedCommands: UInt
}

/// Notices on their way from the process callback to the control loop.
struct Notices: ~Copyable {
    private let ring = Ring(
        capacityBits: 10,
        StampedNotice(
            notice: .transport(state: .stopped, step: 0, songStep: SongStep(0, in: Loop(length: stepCount))),
            obeyedCommands: 0))
    private let dropped = Counter()
    /// How many commands have been obeyed; only the callback's.
    private let obeyedCommands = Atomic<UInt>(0)

    /// Notices lost since the start.
    var droppedCount: UInt64 { dropped.value }

    /// The notices from now on come after this many commands.
    func stamp(_ obeyedCommands: UInt) { self.obeyedCommands.store(obeyedCommands, ordering: .relaxed) }

    /// Puts a notice in, or counts it as lost when there is no room: nobody has taken any for a minute.
    func push(_ notice: RtNotice) {
        let stamped = StampedNotice(notice: notice, obeyedCommands: obeyedCommands.load(ordering: .relaxed))
        if !ring.push(stamped) { dropped.add(1) }
    }

    /// The oldest notice, nil when none waits.
    func pop() -> StampedNotice? { ring.pop() }
}
