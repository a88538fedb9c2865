import Music

/// What the store's callers and the storage thread share; never locked during disk operations.
struct StorageMailbox {
    typealias Instant = StorageSchedule.Instant

    private(set) var unsaved = UnsavedChanges()
    /// When the first of them was appended.
    private var unsavedSince: Instant?
    /// When the oldest change was appended that the storage thread has, and has not stored; nil for none.
    private var takenSince: Instant?
    /// The callers that wait for everything appended so far to be on disk.
    private(set) var waiters: [FlushWaiter] = []
    private(set) var isClosing = false
    /// What the caller decided about a stored session that was found after the start.
    private var decision: Decision?
    /// The status that was reported last.
    var status = StorageStatus.saving
    /// Whether somebody looks whether the disk still answers.
    var isWatched = false

    /// What becomes of a stored session that is found after the start.
    enum Decision: Sendable {
        /// It is loaded: what was appended before is dropped.
        case load
        /// It is set aside in favour of this document.
        case setAside(Document)
    }

    /// Adds changes.
    ///
    /// - Returns: Whether the storage thread must be woken.
    mutating func add(_ changes: [DocumentChange], document: () -> Document, at now: Instant) -> Bool {
        let isFirst = unsaved.isEmpty
        unsaved.add(changes, document: document)
        unsavedSince = unsavedSince ?? now
        return isFirst
    }

    /// When the oldest change was appended that is not stored; nil if all are.
    var waitingSince: Instant? { takenSince ?? unsavedSince }

    mutating func decide(_ decision: Decision) {
        self.decision = decision
        // The document has everything appended so far.
        (unsaved, unsavedSince, takenSince) = (UnsavedChanges(), nil, nil)
    }

    mutating func add(_ waiter: FlushWaiter, isLast: Bool) {
        waiters.append(waiter)
        isClosing = isClosing || isLast
    }

    /// Removes and returns the changes.
    mutating func fetchUnsaved() -> UnsavedChanges {
        takenSince = takenSince ?? unsavedSince
        defer { (unsaved, unsavedSince) = (UnsavedChanges(), nil) }
        return unsaved
    }

    /// Notes that everything taken is stored.
    ///
    /// - Returns: When the oldest of it was appended.
    mutating func noteStored() -> Instant? {
        defer { takenSince = nil }
        return takenSince
    }

    mutating func fetchDecision() -> Decision? {
        defer { decision = nil }
        return decision
    }

    /// Removes and returns the first waiters.
    mutating func fetchWaiters(_ count: Int) -> [FlushWaiter] {
        defer { waiters.removeFirst(count) }
        return Array(waiters.prefix(count))
    }
}
