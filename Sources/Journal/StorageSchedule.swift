import Music

/// When the session is written.
public struct StorageTiming: Sendable {
    /// From the start of one flush to that of the next. Changes are written at once, so that they survive a crash of
    /// the process, and are flushed together. The first change after a pause is flushed at once, and so are those made
    /// during a flush that took longer than this.
    public var interval: Duration
    /// The delay from an error to the next try, doubling from the lower to the upper bound.
    public var retries: ClosedRange<Duration>

    /// How long a change may take to reach the disk; a slower disk is reported.
    public var limit: Duration
    /// The least time between two reports.
    public var reportPause: Duration

    /// By default the interval is a fifth of the limit: the rest is for the disk.
    public init(
        interval: Duration = .milliseconds(20), retries: ClosedRange<Duration> = .milliseconds(250)...(.seconds(4)),
        limit: Duration = .milliseconds(100), reportPause: Duration = .seconds(10)
    ) {
        self.interval = interval
        self.retries = retries
        self.limit = limit
        self.reportPause = reportPause
    }
}

/// Whether the session is being kept on disk.
public enum StorageStatus: Equatable, Sendable {
    /// Every change is saved.
    case saving
    /// Saving fails, with the reason, and is retried.
    case failing(StorageFailure)

    init(_ result: Result<Void, StorageFailure>) {
        switch result {
        case .success: self = .saving
        case .failure(let failure): self = .failing(failure)
        }
    }
}

/// Decides when to write next.
struct StorageSchedule {
    typealias Instant = ContinuousClock.Instant

    /// What to do now.
    enum Step: Equatable {
        /// Write new changes.
        case write
        /// Write new changes, and begin to flush.
        case commit
        /// Wait until this time, or until there is more to do; nil for no limit.
        case wait(until: Instant?)
    }

    private let timing: StorageTiming
    /// When to retry after an error, even without further changes.
    private var retryAt: Instant?
    private var retryDelay: Duration
    private var nextFlush: Instant

    /// A schedule that starts after a first write.
    init(_ timing: StorageTiming, after status: StorageStatus, at now: Instant) {
        self.timing = timing
        retryDelay = timing.retries.lowerBound
        nextFlush = now
        note(status, startedAt: now, at: now)
    }

    /// - Parameters:
    ///   - hasChanges: Whether there is something to write.
    ///   - hasWritten: Whether anything was written since the last flush.
    ///   - isUrgent: Whether a caller waits for the flush.
    ///   - isFlushing: Whether a flush is under way; the storage thread is woken when it ends.
    func next(hasChanges: Bool, hasWritten: Bool, isUrgent: Bool, isFlushing: Bool, at now: Instant) -> Step {
        if isFlushing { return hasChanges && retryAt == nil ? .write : .wait(until: nil) }
        if isUrgent { return .commit }
        if let retryAt { return retryAt <= now ? .commit : .wait(until: retryAt) }
        guard hasChanges || hasWritten else { return .wait(until: nil) }
        if nextFlush <= now { return .commit }
        return hasChanges ? .write : .wait(until: nextFlush)
    }

    /// Notes the outcome of a flush that has just ended, or of a write that failed.
    mutating func note(_ status: StorageStatus, startedAt start: Instant, at now: Instant) {
        nextFlush = start + timing.interval
        if status == .saving {
            retryAt = nil
            retryDelay = timing.retries.lowerBound
        } else {
            retryAt = now + retryDelay
            retryDelay = min(retryDelay * 2, timing.retries.upperBound)
        }
    }
}

/// The changes that wait to be written, bounded: if the disk hangs for long, the newest document replaces them all.
struct UnsavedChanges {
    /// A document that replaces everything written so far, if there were too many changes to keep.
    private(set) var replacement: Document?
    /// Later changes, in batches that belong together.
    private(set) var batches: [[DocumentChange]] = []
    private var changeCount = 0

    /// How many changes are kept before a document replaces them.
    static let capacity = 8192

    var isEmpty: Bool { replacement == nil && batches.isEmpty }

    /// Adds changes; replaces them by the resulting document if there are too many.
    mutating func add(_ changes: [DocumentChange], document: () -> Document) {
        guard !changes.isEmpty else { return }
        if changeCount + changes.count <= Self.capacity {
            batches.append(changes)
            changeCount += changes.count
        } else {
            self = UnsavedChanges(replacement: document())
        }
    }

    init(replacement: Document? = nil) {
        self.replacement = replacement
    }
}
