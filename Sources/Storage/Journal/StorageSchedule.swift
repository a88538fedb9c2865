/// How soon the session is written.
public struct StorageTiming: Sendable {
    /// From the start of one write to that of the next: what happens in between is written, and flushed, together. The
    /// first change after a pause is written at once, and so is what gathered during a write that took longer.
    public var interval: Duration
    /// From an error to the next try, doubling from the lower to the upper bound.
    public var retries: ClosedRange<Duration>

    /// How old a change may be when it is on disk; of a disk that takes longer somebody is told.
    public var limit: Duration

    /// By default the interval is a fifth of the limit: the rest is the disk's.
    public init(
        interval: Duration = .milliseconds(20), retries: ClosedRange<Duration> = .milliseconds(250)...(.seconds(4)),
        limit: Duration = .milliseconds(100)
    ) {
        self.interval = interval
        self.retries = retries
        self.limit = limit
    }
}

/// Whether the session is being kept on disk.
public enum StorageStatus: Equatable, Sendable {
    /// Every change is.
    case saving
    /// It is not, and why; it is tried again.
    case failing(StorageFailure)
}

/// Decides when to write next.
struct StorageSchedule {
    typealias Instant = ContinuousClock.Instant

    /// What to do now.
    enum Step: Equatable {
        case commit
        /// Wait until then, or until there is more to do; nil for no limit.
        case wait(until: Instant?)
    }

    private let timing: StorageTiming
    /// When to try again after an error, whether anything else has changed or not.
    private var retryAt: Instant?
    private var retryDelay: Duration
    private var nextCommit: Instant

    /// A schedule that goes on from a first write.
    init(_ timing: StorageTiming, after status: StorageStatus, at now: Instant) {
        self.timing = timing
        retryDelay = timing.retries.lowerBound
        nextCommit = now
        note(status, startedAt: now, at: now)
    }

    /// - Parameter isUrgent: Whether somebody waits for the write.
    func next(hasWork: Bool, isUrgent: Bool, at now: Instant) -> Step {
        if isUrgent { return .commit }
        guard let deadline = retryAt ?? (hasWork ? nextCommit : nil) else { return .wait(until: nil) }
        return deadline <= now ? .commit : .wait(until: deadline)
    }

    /// Takes how a write went that has just ended.
    mutating func note(_ status: StorageStatus, startedAt start: Instant, at now: Instant) {
        nextCommit = start + timing.interval
        if status == .saving {
            retryAt = nil
            retryDelay = timing.retries.lowerBound
        } else {
            retryAt = now + retryDelay
            retryDelay = min(retryDelay * 2, timing.retries.upperBound)
        }
    }
}
