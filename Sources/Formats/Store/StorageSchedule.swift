/// When the session is written.
public struct StorageTiming: Sendable {
    /// From the start of one commit to that of the next. The first change after a pause is committed at once, and so are
    /// those made during a commit that took longer than this.
    public var interval: Duration
    /// The delay from an error to the next try, doubling from the lower to the upper bound.
    public var retries: ClosedRange<Duration>
    /// How long a change may take to reach the disk; a slower disk is reported.
    public var limit: Duration
    /// The least time between two reports.
    public var reportPause: Duration
    /// How long after the last change the log is copied into the database.
    public var rest: Duration
    /// How long the disk may take to answer: at the start, then a new session begins; later, then that is reported.
    public var patience: Duration

    /// By default the interval is a fifth of the limit: the rest is for the disk.
    public init(
        interval: Duration = .milliseconds(20), retries: ClosedRange<Duration> = .milliseconds(250)...(.seconds(4)),
        limit: Duration = .milliseconds(100), reportPause: Duration = .seconds(10), rest: Duration = .seconds(5),
        patience: Duration = .seconds(5)
    ) {
        self.interval = interval
        self.retries = retries
        self.limit = limit
        self.reportPause = reportPause
        self.rest = rest
        self.patience = patience
    }
}

/// Decides what the storage thread does next: changes come first, then snapshots and checkpoints, each in short steps.
struct StorageSchedule {
    typealias Instant = ContinuousClock.Instant

    /// What to do now.
    enum Step: Equatable {
        case open
        /// Store changes.
        case write
        /// A step of a snapshot.
        case snapshot
        case checkpoint
        case copy
        /// Wait until this time, or until there is more to do; nil for no limit.
        case wait(until: Instant?)
    }

    /// How soon something must be done.
    enum Need: Comparable {
        case none
        /// When there has been nothing else to do for a while.
        case someday
        /// When no change waits.
        case due
        /// Even if changes wait, but not twice in a row.
        case urgent
    }

    /// What there is to do.
    struct Work {
        var isOpen = true
        /// Whether changes wait.
        var hasChanges = false
        /// Whether a caller waits for them.
        var isUrgent = false
        var snapshot = Need.none
        var log = Need.none
    }

    private let timing: StorageTiming
    /// When to retry after an error, even without further changes.
    private var retryAt: Instant?
    private var retryDelay: Duration
    private var nextWrite: Instant
    private var lastChange: Instant
    /// When to look whether a copy is due, nil for never.
    private var copyAt: Instant?
    private var lastWasWrite = false
    /// After a checkpoint for which there was no room.
    private var nextCheckpoint: Instant

    init(_ timing: StorageTiming, at now: Instant) {
        self.timing = timing
        retryDelay = timing.retries.lowerBound
        (nextWrite, lastChange, nextCheckpoint) = (now, now, now)
    }

    func next(_ work: Work, at now: Instant) -> Step {
        if let retryAt, retryAt > now, !work.isUrgent { return .wait(until: retryAt) }
        guard work.isOpen else { return .open }
        let mayCheckpoint = nextCheckpoint <= now
        if lastWasWrite || !work.hasChanges {
            if work.log == .urgent, mayCheckpoint { return .checkpoint }
            if work.snapshot == .urgent { return .snapshot }
        }
        if work.isUrgent || retryAt != nil { return .write }
        if work.hasChanges { return nextWrite <= now ? .write : .wait(until: nextWrite) }
        if work.log == .due, mayCheckpoint { return .checkpoint }
        if work.snapshot == .due { return .snapshot }
        if let copyAt, copyAt <= now { return .copy }
        guard work.log != .none else { return .wait(until: copyAt) }
        let rested = max(lastChange + timing.rest, nextCheckpoint)
        return rested <= now ? .checkpoint : .wait(until: [rested, copyAt].compactMap(\.self).min())
    }

    /// Notes the outcome of a step that has just ended.
    mutating func note(_ step: Step, succeeded: Bool, startedAt start: Instant, at now: Instant) {
        lastWasWrite = step == .write
        if step == .write { (nextWrite, lastChange) = (start + timing.interval, now) }
        if succeeded {
            retryAt = nil
            // Opening again says nothing about the next write.
            if step != .open { retryDelay = timing.retries.lowerBound }
        } else {
            retryAt = now + retryDelay
            retryDelay = min(retryDelay * 2, timing.retries.upperBound)
        }
    }

    /// A checkpoint found no room.
    mutating func postponeCheckpoint(at now: Instant) { nextCheckpoint = now + timing.rest }

    /// Sets when to look whether a copy is due.
    mutating func copy(at time: Instant) { copyAt = time }
}
