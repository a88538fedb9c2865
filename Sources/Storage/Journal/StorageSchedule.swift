/// How soon the session is written.
public struct StorageTiming: Sendable {
    /// From one write to the next: what happens in between is written, and flushed, together. The first change after a
    /// pause is written at once.
    public var interval: Duration
    /// From an error to the next try, doubling from the lower to the upper bound.
    public var retries: ClosedRange<Duration>

    /// Half of the 100 ms within which a change is to be on disk, so that the other half is the disk's.
    public init(
        interval: Duration = .milliseconds(50), retries: ClosedRange<Duration> = .milliseconds(250)...(.seconds(4))
    ) {
        self.interval = interval
        self.retries = retries
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
    /// When a write is due that does not wait for changes: the first one, or the next try.
    private var dueAt: Instant?
    private var nextCommit: Instant
    private var retryDelay: Duration

    /// A schedule that begins with a write.
    init(_ timing: StorageTiming, at now: Instant) {
        self.timing = timing
        dueAt = now
        nextCommit = now
        retryDelay = timing.retries.lowerBound
    }

    /// - Parameter isUrgent: Whether somebody waits for the write.
    func next(hasWork: Bool, isUrgent: Bool, at now: Instant) -> Step {
        if isUrgent { return .commit }
        guard let deadline = dueAt ?? (hasWork ? nextCommit : nil) else { return .wait(until: nil) }
        return deadline <= now ? .commit : .wait(until: deadline)
    }

    mutating func succeeded(at now: Instant) {
        dueAt = nil
        nextCommit = now + timing.interval
        retryDelay = timing.retries.lowerBound
    }

    mutating func failed(at now: Instant) {
        dueAt = now + retryDelay
        retryDelay = min(retryDelay * 2, timing.retries.upperBound)
    }
}
