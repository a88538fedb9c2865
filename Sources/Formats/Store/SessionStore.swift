import Dispatch
import Music
import Synchronization
import SystemSupport

/// Keeps the session in a database, with a thread of its own: every change is on disk, flushed, within 100 ms.
///
/// The caller never sees errors or delays of the disk: the store reports a failure, keeps unsaved changes and retries
/// by itself. ``close(within:)`` ends the thread and unlocks the directory.
public final class SessionStore: Sendable {
    let mailbox = Mutex(StorageMailbox())
    let wakeUp: WakeUp
    let path: String
    let timing: StorageTiming
    let reports: StorageReports

    /// A session as found on disk.
    public struct Opened: Sendable {
        /// Where to append changes.
        public let store: SessionStore
        /// The session as it was left; a new one if there was none, or the disk has not answered.
        public let document: Document
        public let report: RecoveryReport
        /// Whether everything is on disk.
        public let status: StorageStatus
    }

    /// Where a session is stored.
    public struct StoreFolder: Sendable {
        /// The state directory, which is created if necessary.
        public var path: String
        /// A directory that is writable if the state directory's disk is not; nil for none.
        public var runtimeDirectory: String?
        /// SQLite's virtual file system, nil for the usual.
        var fileSystem: String?
        var limits = SessionKeeper.Limits()
        /// Seconds since 1970.
        var now: @Sendable () -> Int = SessionFolder.clock

        public init(_ path: String, runtimeDirectory: String? = nil) {
            self.path = path
            self.runtimeDirectory = runtimeDirectory
        }
    }

    /// Opens a session. Blocks on the disk, up to the timing's patience.
    ///
    /// Does not throw if the directory cannot be read or written: the session starts with what could be read.
    ///
    /// - Parameter first: What a new session begins with.
    /// - Throws: ``StorageFailure/inUse(path:processID:)`` if another daemon uses the directory,
    ///   ``StorageFailure/thread(code:)`` if the system cannot start a thread, ``StorageFailure/file(_:)`` if it is out
    ///   of descriptors.
    public static func open(
        _ place: StoreFolder, beginningWith first: Document = Document(), timing: StorageTiming = StorageTiming(),
        reports: StorageReports
    ) throws(StorageFailure) -> Opened {
        let store = try SessionStore(place.path, timing, reports)
        let start = try StorageStart()
        do throws(OrdinaryThread.Failure) {
            try OrdinaryThread.start(name: "storage") {
                var thread = StorageThread(store, place, first)
                thread.run(start)
            }
        } catch {
            throw .thread(code: error.code)
        }
        guard let found = start.wait(atMost: timing.patience) else {
            let failure = StorageFailure.noAnswer(path: place.path)
            store.mailbox.withLock { $0.status = .failing(failure) }
            return Opened(
                store: store, document: first, report: RecoveryReport(source: .unknown), status: .failing(failure))
        }
        if case .failing(.inUse(let path, let processID)) = found.status {
            throw .inUse(path: path, processID: processID)
        }
        return Opened(store: store, document: found.document, report: found.report, status: found.status)
    }

    private init(
        _ path: String, _ timing: StorageTiming, _ reports: StorageReports
    ) throws(StorageFailure) {
        guard let wakeUp = WakeUp() else { throw .file(FileError("create", "an eventfd")) }
        self.wakeUp = wakeUp
        self.path = path
        self.timing = timing
        self.reports = reports
    }

    // MARK: On the caller's thread

    /// Stores changes that were made to the document, in order; those of one call are restored together or not at all.
    /// Never waits for the disk.
    ///
    /// - Parameter document: The document that they led to; used only if too many changes are waiting.
    public func append(_ changes: [DocumentChange], leadingTo document: @autoclosure () -> Document) {
        guard !changes.isEmpty else { return }
        let (isFirst, mustWatch) = mailbox.withLock { mailbox in
            let isFirst = mailbox.add(changes, document: document, at: .now)
            defer { mailbox.isWatched = true }
            return (isFirst, !mailbox.isWatched)
        }
        if isFirst { wakeUp.signal() }
        if mustWatch { watch(after: timing.patience) }
    }

    /// Decides about a stored session that was found after the start: see ``StorageReports/onLateSession``.
    ///
    /// - Parameter document: The session to store in its place; nil to load the stored one, and to drop what was
    ///   appended before.
    public func decide(keeping document: Document?) {
        mailbox.withLock { $0.decide(document.map { .setAside($0) } ?? .load) }
        wakeUp.signal()
    }

    /// Waits, up to a limit, until everything appended so far is on disk.
    ///
    /// - Returns: Whether everything is on disk.
    public func flush(within limit: Duration) async -> Bool { await wait(within: limit, isLast: false) }

    /// Writes unsaved changes, waits for that up to a limit, ends the thread and unlocks the directory.
    ///
    /// - Returns: Whether everything is on disk.
    @discardableResult
    public func close(within limit: Duration) async -> Bool { await wait(within: limit, isLast: true) }

    private func wait(within limit: Duration, isLast: Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiter = FlushWaiter(continuation, limit: limit)
            mailbox.withLock { $0.add(waiter, isLast: isLast) }
            wakeUp.signal()
        }
    }

    // MARK: A disk that does not answer

    /// Reports a disk that hangs: the storage thread, which waits for it, cannot.
    private func watch(after delay: Duration) {
        DispatchQueue.global().asyncAfter(deadline: .now() + DispatchTimeInterval(delay)) { [weak self] in
            self?.lookForHang()
        }
    }

    private func lookForHang() {
        let (failure, next) = mailbox.withLock { mailbox -> (StorageFailure?, Duration?) in
            guard let since = mailbox.waitingSince else {
                mailbox.isWatched = false
                return (nil, nil)
            }
            let left = timing.patience - (.now - since)
            if left > .zero { return (nil, left) }
            // Another failure is known already.
            guard mailbox.status == .saving else { return (nil, timing.patience) }
            mailbox.status = .failing(.noAnswer(path: path))
            return (.noAnswer(path: path), timing.patience)
        }
        if let failure { reports.onStatus(.failing(failure)) }
        if let next { watch(after: next) }
    }

    /// Reports a status that differs from the one before; on the storage thread.
    func report(_ status: StorageStatus) {
        let isNew = mailbox.withLock { mailbox in
            defer { mailbox.status = status }
            return mailbox.status != status
        }
        if isNew { reports.onStatus(status) }
    }
}
