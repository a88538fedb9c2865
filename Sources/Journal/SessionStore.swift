import Music
import Synchronization
import SystemSupport

/// Keeps the session on disk with three threads, for writing, flushing and snapshots: every change is on disk, flushed,
/// within 100 ms.
///
/// The caller never sees errors or delays of the disk: the store reports a failure, keeps unsaved changes and retries
/// by itself. ``close(within:)`` ends the thread and unlocks the directory.
public final class SessionStore: Sendable {
    /// Used by the storage thread only; nil once that has ended.
    private let writer: Mutex<SessionWriter?>
    private let mailbox: Mutex<Mailbox>
    private let wakeUp: WakeUp
    private let timing: StorageTiming
    private let onStatus: @Sendable (StorageStatus) -> Void
    private let onDelay: @Sendable (Duration) -> Void

    /// Shared by the caller and the storage thread; never locked during disk operations.
    private struct Mailbox {
        var unsaved = UnsavedChanges()
        /// When the first of them was appended.
        var since = StorageSchedule.Instant.now
        /// The callers that wait for everything appended so far to be on disk.
        var waiters: [FlushWaiter] = []
        var isClosing = false

        /// Removes and returns what to write; the waiting callers stay.
        mutating func takeUnsaved() -> Mailbox {
            defer { unsaved = UnsavedChanges() }
            return Mailbox(unsaved: unsaved, since: since)
        }
    }

    /// A session as found on disk.
    public struct Opened: Sendable {
        /// Where to append changes.
        public let store: SessionStore
        /// The session as it was left.
        public let document: Document
        public let report: RecoveryReport
        /// Whether the first write worked.
        public let status: StorageStatus
    }

    /// Opens a state directory, and creates it if necessary. Blocks on the disk.
    ///
    /// Does not throw if the directory cannot be read or written: the session starts with what could be read.
    ///
    /// - Parameters:
    ///   - path: The state directory.
    ///   - onStatus: Called on the storage thread when writing starts to fail, when the reason changes, and when it
    ///     works again.
    ///   - onDelay: Called on the storage thread, not too often, when changes took too long to reach the disk, with the
    ///     time they took.
    /// - Throws: ``StorageFailure/inUse(path:processID:)`` if another daemon uses the directory,
    ///   ``StorageFailure/thread(code:)`` if the system cannot start a thread, ``StorageFailure/file(_:)`` if it is out
    ///   of descriptors.
    public static func open(
        _ path: String, timing: StorageTiming = StorageTiming(),
        onStatus: @escaping @Sendable (StorageStatus) -> Void,
        onDelay: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(StorageFailure) -> Opened {
        try open(StateDirectory(path), timing: timing, onStatus: onStatus, onDelay: onDelay)
    }

    /// Opens any kind of directory.
    static func open(
        _ directory: sending any SessionDirectory, timing: StorageTiming, journalLimit: UInt64 = 1 << 20,
        onStatus: @escaping @Sendable (StorageStatus) -> Void,
        onDelay: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(StorageFailure) -> Opened {
        do throws(StorageFailure) {
            try directory.claim()
        } catch {
            if case .inUse = error { throw error }
        }
        let recovery = Recovery(directory)
        let document = recovery.document
        let report = recovery.report
        let store = try SessionStore(
            SessionWriter(recovery, in: directory, journalLimit: journalLimit), timing: timing, onStatus: onStatus,
            onDelay: onDelay)
        let status = store.write(UnsavedChanges())
        try store.start(status)
        return Opened(store: store, document: document, report: report, status: status)
    }

    private init(
        _ writer: sending SessionWriter, timing: StorageTiming, onStatus: @escaping @Sendable (StorageStatus) -> Void,
        onDelay: @escaping @Sendable (Duration) -> Void
    ) throws(StorageFailure) {
        guard let wakeUp = WakeUp() else { throw .file(FileError("create", "an eventfd")) }
        self.wakeUp = wakeUp
        self.writer = Mutex(writer)
        self.timing = timing
        self.onStatus = onStatus
        self.onDelay = onDelay
        mailbox = Mutex(Mailbox())
    }

    // MARK: On the caller's thread

    /// Stores changes that were made to the document, in order; those of one call are recovered together or not at all.
    /// Never waits for the disk.
    ///
    /// - Parameter document: The document that they led to; used only if too many changes are waiting.
    public func append(_ changes: [DocumentChange], leadingTo document: @autoclosure () -> Document) {
        let isFirst = mailbox.withLock { mailbox in
            defer { mailbox.unsaved.add(changes, document: document) }
            guard mailbox.unsaved.isEmpty else { return false }
            mailbox.since = .now
            return true
        }
        if isFirst { wakeUp.signal() }
    }

    /// Waits, up to a limit, until everything appended so far is on disk.
    ///
    /// - Returns: Whether everything is on disk.
    public func flush(within limit: Duration) async -> Bool {
        await wait(within: limit) { _ in }
    }

    /// Writes unsaved changes, waits for that up to a limit, ends the thread and unlocks the directory.
    ///
    /// - Returns: Whether everything is on disk.
    @discardableResult
    public func close(within limit: Duration) async -> Bool {
        await wait(within: limit) { $0.isClosing = true }
    }

    private func wait(within limit: Duration, _ change: @Sendable (inout Mailbox) -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiter = FlushWaiter(continuation, limit: limit)
            mailbox.withLock {
                change(&$0)
                $0.waiters.append(waiter)
            }
            wakeUp.signal()
        }
    }

    // MARK: On the storage thread

    private func start(_ status: StorageStatus) throws(StorageFailure) {
        do throws(OrdinaryThread.Failure) {
            let flusher = try DiskWorker("storage-flush") { [wakeUp] in wakeUp.signal() }
            let snapshots = try DiskWorker("storage-snap") { [wakeUp] in wakeUp.signal() }
            try OrdinaryThread.start(name: "storage") { self.run(status, flusher, snapshots) }
        } catch {
            throw .thread(code: error.code)
        }
    }

    /// The storage thread's state.
    private struct Course {
        var status: StorageStatus
        var schedule: StorageSchedule
        /// When the first change was appended that is written but not covered by any flush.
        var writtenSince: StorageSchedule.Instant?
        var commit: Commit?
        /// The outcome of everything else since the current flush began.
        var outcomeSince = StorageStatus.saving
        var nextReport = StorageSchedule.Instant.now
    }

    /// A flush under way, or one that was not needed.
    private struct Commit {
        let start: StorageSchedule.Instant
        /// When the first change that it covers was appended.
        let since: StorageSchedule.Instant?
        let waiters: [FlushWaiter]
        let isLast: Bool
    }

    private func run(_ status: StorageStatus, _ flusher: DiskWorker, _ snapshots: DiskWorker) {
        var course = Course(status: status, schedule: StorageSchedule(timing, after: status, at: .now))
        var isOpen = true
        while isOpen {
            if let commit = course.commit, let result = flusher.takeResult() {
                course.commit = nil
                let flushed = endFlush(result)
                // A flush does not count if something has failed since: then not everything written is on disk.
                isOpen = end(commit, flushed == .saving ? course.outcomeSince : flushed, &course)
                continue
            }
            if let result = snapshots.takeResult() { heed(endWork(result), startedAt: .now, &course) }
            if let work = writer.withLock({ $0?.beginWork() }) { snapshots.begin(work) }
            let (step, work) = nextWork(course)
            switch step {
            case .wait(let deadline): wait(until: deadline)
            case .write: write(work, &course)
            case .commit: isOpen = commit(work, flusher, &course)
            }
        }
    }

    private func nextWork(_ course: Course) -> (StorageSchedule.Step, Mailbox) {
        mailbox.withLock { mailbox in
            let step = course.schedule.next(
                hasChanges: !mailbox.unsaved.isEmpty, hasWritten: course.writtenSince != nil,
                isUrgent: !mailbox.waiters.isEmpty, isFlushing: course.commit != nil, at: .now)
            switch step {
            case .wait: return (step, Mailbox())
            case .write: return (step, mailbox.takeUnsaved())
            case .commit:
                defer { mailbox = Mailbox() }
                return (step, mailbox)
            }
        }
    }

    /// Writes changes, to be flushed later.
    private func write(_ work: Mailbox, _ course: inout Course) {
        let start = StorageSchedule.Instant.now
        course.writtenSince = course.writtenSince ?? work.since
        heed(write(work.unsaved), startedAt: start, &course)
    }

    /// Notes a failure outside a flush, after which the document is written as a whole.
    private func heed(_ outcome: StorageStatus, startedAt start: StorageSchedule.Instant, _ course: inout Course) {
        guard outcome != .saving else { return }
        course.writtenSince = nil
        course.outcomeSince = outcome
        course.schedule.note(outcome, startedAt: start, at: .now)
        report(outcome, &course)
    }

    /// Writes, and begins to flush everything written.
    ///
    /// - Returns: Whether the store stays open.
    private func commit(_ work: Mailbox, _ flusher: DiskWorker, _ course: inout Course) -> Bool {
        let since = course.writtenSince ?? (work.unsaved.isEmpty ? nil : work.since)
        let commit = Commit(start: .now, since: since, waiters: work.waiters, isLast: work.isClosing)
        course.writtenSince = nil
        let outcome = write(work.unsaved)
        guard outcome == .saving, let work = writer.withLock({ $0?.beginFlush() }) else {
            return end(commit, outcome, &course)
        }
        flusher.begin(work)
        course.commit = commit
        course.outcomeSince = .saving
        return true
    }

    /// - Returns: Whether the store stays open.
    private func end(_ commit: Commit, _ outcome: StorageStatus, _ course: inout Course) -> Bool {
        course.schedule.note(outcome, startedAt: commit.start, at: .now)
        if outcome == .saving, let since = commit.since { report(delaySince: since, &course.nextReport) }
        if commit.isLast { letGo() }
        report(outcome, &course)
        for waiter in commit.waiters { waiter.resume(outcome == .saving) }
        return !commit.isLast
    }

    private func report(_ outcome: StorageStatus, _ course: inout Course) {
        if outcome != course.status { onStatus(outcome) }
        course.status = outcome
    }

    /// Reports how long a change took to reach the disk, if that was too long and no delay was reported recently.
    private func report(delaySince start: StorageSchedule.Instant, _ nextReport: inout StorageSchedule.Instant) {
        let now = StorageSchedule.Instant.now
        guard now - start > timing.limit, now >= nextReport else { return }
        onDelay(now - start)
        nextReport = now + timing.reportPause
    }

    private func write(_ unsaved: UnsavedChanges) -> StorageStatus {
        writer.withLock { writer in
            if let document = unsaved.replacement { writer?.replaceDocument(document) }
            return StorageStatus(Result { () throws(StorageFailure) in try writer?.write(unsaved.batches) ?? () })
        }
    }

    private func endFlush(_ result: DiskResult) -> StorageStatus {
        writer.withLock { writer in
            StorageStatus(Result { () throws(StorageFailure) in try writer?.endFlush(result) ?? () })
        }
    }

    private func endWork(_ result: DiskResult) -> StorageStatus {
        writer.withLock { writer in
            StorageStatus(Result { () throws(StorageFailure) in try writer?.endWork(result) ?? () })
        }
    }

    private func letGo() {
        writer.withLock { writer in
            writer?.abandonWork()
            writer = nil
        }
    }

    private func wait(until deadline: StorageSchedule.Instant?) {
        wakeUp.wait(atMost: deadline.map { $0 - StorageSchedule.Instant.now })
    }
}
