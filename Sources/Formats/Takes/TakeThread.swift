import Glibc
import SQLite
import Synchronization
import SystemSupport

/// What the thread of a ``TakeStore`` does.
struct TakeThread {
    /// The take under way.
    private struct Recording {
        let number: Int64
        let compression = DeflateStream()
        /// Compressed bytes that are not committed.
        var pending: [UInt8] = []
        /// How many pieces are.
        var pieceCount = 0
        var progress = TakeProgress()
        /// Whether anything changed since the last commit.
        var isChanged = false
    }

    private let store: TakeStore
    private var database: TakeDatabase?
    private var recording: Recording? {
        didSet {
            guard recording?.number != reportedTake else { return }
            reportedTake = recording?.number
            store.reports.onChange()
        }
    }
    private var reportedTake: Int64?
    private var status = TakeStatus.keeping
    private var nextCommit = ContinuousClock.now
    private var nextCheckpoint = ContinuousClock.now
    /// When a take may begin again after one could not be kept; nil if there is none under way that is not kept.
    private var nextTry: ContinuousClock.Instant?

    init(_ store: TakeStore) { self.store = store }

    /// Without symbolic links, which SQLite refuses.
    private var path: String { "\(withoutLinks(store.folder) ?? store.folder)/\(TakeStore.fileName)" }

    // MARK: Turns

    mutating func run() {
        while turn() {}
        database = nil
    }

    /// Stores what has come; returns whether the store stays open.
    private mutating func turn() -> Bool {
        let isAsked = store.mailbox.withLock { !$0.requests.isEmpty || $0.isClosing }
        store.keeper?.drain(into: store, waiting: isAsked ? store.options.patience : nil)
        let (events, requests, hasOverflowed, isClosing) = store.mailbox.withLock { mailbox in
            defer {
                (mailbox.events, mailbox.bytes, mailbox.requests, mailbox.hasOverflowed) = ([], 0, [], false)
            }
            return (mailbox.events, mailbox.requests, mailbox.hasOverflowed, mailbox.isClosing)
        }
        for event in events { handle(event) }
        if hasOverflowed { stop("the disk is too slow") }
        if isClosing { endTake() }
        let now = ContinuousClock.now
        if recording != nil, now >= nextCommit || !requests.isEmpty {
            attempt { (thread) throws(SQLiteError) in try thread.commit() }
            nextCommit = now + store.options.commitInterval
        }
        if recording != nil, now >= nextCheckpoint {
            attempt { (thread) throws(SQLiteError) in try thread.database?.checkpoint() }
            nextCheckpoint = now + store.options.checkpointInterval
        }
        for request in requests { request(&self) }
        if recording == nil, database?.hasLog == true {
            // What was deleted frees its room, and what was changed is flushed.
            attempt { (thread) throws(SQLiteError) in try thread.database?.checkpoint(truncating: true) }
        }
        if recording == nil, let time = nextTry, now >= time {
            nextTry = nil
            store.keeper?.abandonTake()
        }
        if store.keeper?.hasRecovered() == true { store.reports.onStatus(status) }
        guard !isClosing else { return false }
        sleep()
        return true
    }

    /// Sleeps until something is to be done: while a take is recorded, at the latest until the next commit.
    private func sleep() {
        let longest: Duration? =
            if recording != nil {
                min(nextCommit, nextCheckpoint) - ContinuousClock.now
            } else {
                store.keeper?.maySleep(until: store.wakeUp) == false ? store.options.commitInterval : nil
            }
        store.wakeUp.wait(atMost: longest)
        store.keeper?.isAwake()
    }

    private mutating func handle(_ event: TakeStore.Event) {
        switch event {
        case .begin(let head): begin(head)
        case .content(let bytes):
            guard let output = recording?.compression.compress(bytes) else { return }
            recording?.pending += output
            recording?.isChanged = true
        case .progress(let progress):
            guard let old = recording?.progress, old != progress else { return }
            recording?.progress = progress
            recording?.isChanged = true
        case .end: endTake()
        case .missed: report(.stopped("what was played before is not stored yet"))
        }
    }

    // MARK: Takes

    private mutating func begin(_ head: TakeHead) {
        endTake()
        attempt { (thread) throws(SQLiteError) in
            guard let reason = try thread.obstacle() else {
                let database = try thread.opened()
                thread.recording = Recording(number: try database.begin(head))
                thread.nextTry = nil
                thread.report(.keeping)
                return
            }
            thread.stop(reason)
        }
        nextCommit = .now + store.options.commitInterval
        nextCheckpoint = .now + store.options.checkpointInterval
    }

    /// Why nothing can be recorded; nil if it can.
    private mutating func obstacle() throws(SQLiteError) -> String? {
        if let free = store.options.freeSpace(store.folder), free < UInt64(store.options.limits.freeSpace) {
            return "the disk is full: \(store.options.limits.freeSpace >> 20) MiB of it are left to the session"
        }
        let database = try opened()
        if recording == nil { try database.removeSurplus(store.options.limits) }
        if try database.makeRoom(store.options.limits.size) { return nil }
        let who = recording == nil ? "starred takes" : "the take under way and starred ones"
        return "\(who) fill the \(store.options.limits.size >> 20) MiB that takes may have"
    }

    /// Writes what is not committed, up to now.
    private mutating func commit(isEnd: Bool = false) throws(SQLiteError) {
        guard let take = recording, take.isChanged || isEnd, let database else { return }
        let bytes = take.pending + take.compression.flush()
        let pieces = stride(from: 0, to: bytes.count, by: TakeDatabase.longestPiece).map {
            Array(bytes[$0..<min($0 + TakeDatabase.longestPiece, bytes.count)])
        }
        try database.add(pieces, from: take.pieceCount, of: take.number, take.progress, isEnd: isEnd)
        recording?.pending = []
        recording?.pieceCount += pieces.count
        recording?.isChanged = false
        if !isEnd, let reason = try obstacle() { stop(reason) }
    }

    /// Ends the take under way, if there is one.
    private mutating func endTake() {
        guard recording != nil else { return }
        attempt { (thread) throws(SQLiteError) in
            try thread.commit(isEnd: true)
            thread.recording = nil
            try thread.database?.removeSurplus(thread.store.options.limits)
            _ = try thread.database?.makeRoom(thread.store.options.limits.size)
            try thread.database?.checkpoint(truncating: true)
        }
    }

    /// Ends the take under way with what there is of it, and records nothing until the next, which is tried soon.
    private mutating func stop(_ reason: String) {
        attempt { (thread) throws(SQLiteError) in try thread.commit(isEnd: true) }
        recording = nil
        nextTry = .now + Self.pause
        report(.stopped(reason))
    }

    /// How long no take is begun after one could not be kept.
    private static let pause = Duration.seconds(5)

    private mutating func report(_ status: TakeStatus) {
        guard status != self.status else { return }
        self.status = status
        store.reports.onStatus(status)
    }

    // MARK: The database

    /// Does something with the database. If that fails, the take under way ends, and the database is opened anew.
    private mutating func attempt(_ body: (inout TakeThread) throws(SQLiteError) -> Void) {
        do throws(SQLiteError) {
            try body(&self)
        } catch {
            fail(error)
        }
    }

    private mutating func fail(_ error: SQLiteError) {
        recording = nil
        database = nil
        nextTry = .now + Self.pause
        if error.kind == .damaged { setAside(error) }
        report(.stopped(error.kind == .full ? "the disk is full" : "cannot use \(path): \(error)"))
    }

    /// The database, opened if it is not; a damaged one is set aside for a new one.
    private mutating func opened() throws(SQLiteError) -> TakeDatabase {
        if let database { return database }
        guard store.options.makesDatabase || access(path, F_OK) == 0 else {
            throw SQLiteError(code: 14, message: "there is no database", systemCode: errno)
        }
        let opened: TakeDatabase
        do throws(SQLiteError) {
            opened = try TakeDatabase(path, fileSystem: store.options.fileSystem)
        } catch  where error.kind == .damaged {
            setAside(error)
            opened = try TakeDatabase(path, fileSystem: store.options.fileSystem)
        }
        database = opened
        return opened
    }

    /// Gives the database and its log other names.
    private func setAside(_ reason: SQLiteError) {
        guard let name = try? DatedName.free("takes-aside-", at: time(nil), in: store.folder) else { return }
        let aside = "\(store.folder)/\(name)"
        rename("\(path)-wal", "\(aside)-wal")
        guard rename(path, aside) == 0 else { return }
        try? flushDirectory(store.folder)
        store.reports.onSetAside(name, "\(reason)")
    }

    /// The answer to a request.
    mutating func result<Result>(_ body: (TakeDatabase) throws(SQLiteError) -> Result)
        -> Swift.Result<Result, any Error>
    {
        do throws(SQLiteError) {
            return .success(try body(try opened()))
        } catch {
            if error.kind == .damaged { fail(error) }
            return .failure(error)
        }
    }
}
