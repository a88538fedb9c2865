import Music
import SQLite
import SystemSupport

/// Keeps a directory's database up to date with a document. Every call may wait for the disk; ``StorageSchedule`` decides
/// which comes when.
///
/// Each change is a row. A snapshot is written in pieces between them, and then made valid by a transaction of its own.
/// After an error the database is opened again, and a new snapshot written: see ``open()``.
struct SessionKeeper {
    /// Sizes that tests make smaller.
    struct Limits {
        /// The length of changes, in bytes, after which a snapshot is due.
        var snapshot = 1 << 20
        /// The length of the log, in bytes, at which a checkpoint is due.
        var log = 1 << 20
    }

    /// The session with all changes, stored or not.
    private(set) var document: Document
    /// What was found at the first successful look; nil before.
    private(set) var report: RecoveryReport?

    private let folder: SessionFolder
    /// Where a read-only disk's session is copied to be read.
    private let runtimeDirectory: String?
    private let fileSystem: String?
    private let limits: Limits

    private var database: SessionDatabase?
    private var backlog = Backlog()
    /// The number of the last change, stored or not.
    private var number: Int64 = 0
    /// A row of this session's database, nil before it has one.
    private var mark: SessionMark?
    /// Whether the database must be replaced by a new one, because it is damaged.
    private var mustReplace = false
    /// The snapshot under way.
    private var progress: SnapshotProgress?
    /// Whether a snapshot must come before anything counts as saved.
    private var needsSnapshot = false
    /// The length of the changes since the last snapshot, in bytes.
    private var bytesSinceSnapshot = 0
    /// The length of those that the snapshot under way includes.
    private var bytesInProgress = 0
    /// The length at which a snapshot is tried again that did not fit.
    private var postponedTo = 0
    /// The number of the last snapshot.
    private var snapshotNumber: Int64?
    /// Whether that replaces changes that were never stored.
    private var isAfterGap = false
    /// The name of what was set aside last.
    private var setAside: String?
    /// Whether the disk was full, and is not known to have room again.
    private var isTight = false

    /// - Parameters:
    ///   - document: What a new session begins with.
    ///   - runtimeDirectory: A directory that is writable if the disk is not.
    ///   - fileSystem: SQLite's virtual file system, nil for the usual.
    init(
        _ folder: SessionFolder, beginningWith document: Document, runtimeDirectory: String? = nil,
        fileSystem: String? = nil, limits: Limits = Limits()
    ) {
        self.folder = folder
        self.document = document
        self.runtimeDirectory = runtimeDirectory
        self.fileSystem = fileSystem
        self.limits = limits
    }

    private var usedFileSystem: String? { fileSystem ?? (folder.hasNoLocks ? "unix-none" : nil) }

    // MARK: Changes

    /// Adds changes to the session, to be stored.
    mutating func add(_ unsaved: UnsavedChanges) {
        if let replacement = unsaved.replacement { replace(replacement) }
        for batch in unsaved.batches where !batch.isEmpty {
            for change in batch { document.apply(change) }
            number += 1
            backlog.add(ChangeRow(number, batch))
        }
        if backlog.size > Backlog.limit { replace(document) }
    }

    /// Makes a document the session, of which the next snapshot says how it came about.
    private mutating func replace(_ document: Document) {
        self.document = document
        backlog.removeAll()
        // A number that no row has: the changes before it and after it do not belong together.
        number += 1
        (needsSnapshot, isAfterGap) = (true, true)
        progress = nil
    }

    // MARK: What is to do

    var isOpen: Bool { database != nil }
    /// Whether anything is not stored yet.
    var hasUnsaved: Bool { !backlog.isEmpty || needsSnapshot || mustReplace }

    var snapshotNeed: StorageSchedule.Need {
        guard database != nil, backlog.isEmpty else { return .none }
        if progress != nil { return bytesSinceSnapshot >= 2 * snapshotLimit ? .urgent : .due }
        guard bytesSinceSnapshot >= max(snapshotLimit, postponedTo), number != snapshotNumber else { return .none }
        return bytesSinceSnapshot >= 2 * snapshotLimit ? .urgent : .due
    }

    var logNeed: StorageSchedule.Need {
        guard let size = database?.logSize, size > 0 else { return .none }
        return size >= 2 * logLimit ? .urgent : size >= logLimit ? .due : .someday
    }

    /// On a small disk neither may take more than a part of the room.
    private var snapshotLimit: Int { min(limits.snapshot, room / 4) }
    private var logLimit: Int { min(limits.log, room / 4) }

    private var room: Int { max(65_536, folder.freeSpace.map { Int(clamping: $0) } ?? .max) }

    // MARK: Opening

    /// Opens the directory's database, or makes a new one. The first time it also reads the session.
    ///
    /// - Parameter isLastTry: Whether what cannot be read counts as damaged; otherwise it is an error.
    /// - Returns: The stored session when it was found now; ``document`` is then still the one so far. Call
    ///   ``adopt(_:)`` or ``refuse(_:)`` before anything else.
    mutating func open(isLastTry: Bool = false) throws(StorageFailure) -> FoundSession? {
        try folder.claim()
        if mustReplace { try makeDatabase() }
        if isOpen { return nil }
        if mark == nil, report == nil { return try firstLook(isLastTry: isLastTry) }
        try openAgain()
        return nil
    }

    private mutating func firstLook(isLastTry: Bool) throws(StorageFailure) -> FoundSession? {
        switch try folder.content() {
        case .database: return try look(isLastTry: isLastTry)
        case .nothing where !folder.hasPending:
            report = newReport(.new)
            try makeDatabase()
            return nil
        case .nothing, .logOnly:
            if let pending = readClosed(SessionFolder.pending), pending.damages.isEmpty {
                _ = try folder.install()
                return try look(isLastTry: isLastTry)
            }
            guard try folder.content() == .logOnly else {
                report = newReport(.new)
                try makeDatabase()
                return nil
            }
            return found(nil, [.logOnly])
        }
    }

    /// Reads the database, and keeps it open if it is whole.
    private mutating func look(isLastTry: Bool) throws(StorageFailure) -> FoundSession {
        if let obstacle = folder.obstacle {
            var session = found(try readElsewhere(), [])
            session.obstacle = obstacle
            return session
        }
        let (replay, connection) = try SessionReader.read(
            folder.resolved(SessionFolder.database), fileSystem: usedFileSystem, isLastTry: isLastTry)
        var session = found(replay, [])
        session.connection = connection
        return session
    }

    /// Reads the session of a disk on which SQLite could not create its files.
    private func readElsewhere() throws(StorageFailure) -> Replay {
        guard let runtimeDirectory else { throw folder.obstacle ?? .noAnswer(path: folder.path) }
        let contents = try folder.contents()
        do throws(FileError) { try makeDirectories(runtimeDirectory) } catch { throw .file(error) }
        let path = try SessionFile.resolved(runtimeDirectory, "session-read.db")
        defer { for suffix in ["", "-wal", "-journal"] { SessionFile.remove(path + suffix) } }
        try SessionFile.write(contents.database, to: path)
        if !contents.log.isEmpty { try SessionFile.write(contents.log, to: path + "-wal") }
        return try SessionReader.read(path, fileSystem: nil, isLastTry: true).replay
    }

    /// Reads a database that nobody writes; nil if it has no session.
    private func readClosed(_ name: String) -> Replay? {
        guard let path = try? folder.resolved(name),
            let replay = try? SessionReader.read(path, .readOnly, fileSystem: usedFileSystem).replay,
            replay.document != nil
        else { return nil }
        return replay
    }

    private func newReport(_ source: RecoveryReport.Source) -> RecoveryReport {
        var report = RecoveryReport(source: source)
        report.hasNoLocks = folder.hasNoLocks
        return report
    }

    /// What a database holds, or the newest readable copy if it has no session.
    private func found(_ replay: Replay?, _ damages: [Damage.Reason]) -> FoundSession {
        var report = newReport(.lost)
        report.damages = ((replay?.damages ?? []) + damages).map { Damage(file: SessionFolder.database, reason: $0) }
        if let replay, let document = replay.document, let snapshot = replay.snapshot {
            report.source = .database(snapshot: snapshot)
            report.changes = replay.count
            return FoundSession(
                document: document, report: report, number: replay.number, bytes: replay.bytes, mark: replay.mark)
        }
        for name in (try? folder.copies.names()) ?? [] {
            guard let copy = readClosed(name), copy.damages.isEmpty, let document = copy.document else { continue }
            report.source = .copy(name)
            return FoundSession(document: document, report: report)
        }
        return FoundSession(document: Document(), report: report)
    }

    /// Continues a session that was found.
    mutating func adopt(_ session: FoundSession) throws(StorageFailure) {
        report = session.report
        document = session.report.source == .lost ? document : session.document
        backlog.removeAll()
        number = session.number
        guard session.report.damages.isEmpty else {
            mustReplace = true
            if let obstacle = session.obstacle { throw obstacle }
            return try makeDatabase()
        }
        if case .database(let snapshot) = session.report.source { snapshotNumber = snapshot }
        bytesSinceSnapshot = session.bytes
        mark = session.mark
        if let obstacle = session.obstacle { throw obstacle }
        if let connection = session.connection { try open(connection) }
    }

    /// Sets a session aside that was found, in favour of another.
    mutating func refuse(_ session: FoundSession, keeping document: Document) throws(StorageFailure) {
        report = session.report
        self.document = document
        mustReplace = true
        if let obstacle = session.obstacle { throw obstacle }
        try makeDatabase()
    }

    /// Opens the database after an error, or after its disk came back.
    private mutating func openAgain() throws(StorageFailure) {
        if let obstacle = folder.obstacle { throw obstacle }
        guard try folder.content() == .database, let mark else { return try makeDatabase() }
        do throws(StorageFailure) {
            let path = try folder.resolved(SessionFolder.database)
            let database = try SessionDatabase.open(
                path, SessionDatabase.connect(path, fileSystem: usedFileSystem))
            let newest = try database.newestNumber()
            guard try database.contains(mark), newest <= number else { return try makeDatabase() }
            backlog.remove(through: newest)
            self.database = database
            // What was written before the error may be lost, whatever the system says.
            needsSnapshot = true
            if try database.newestSnapshot() == number {
                // A change that changes nothing gives the snapshot a number of its own.
                number += 1
                backlog.add(ChangeRow(number, []))
            }
        } catch {
            guard error.isDamage else { throw error }
            try makeDatabase()
        }
    }

    /// Writes the session as a new database, and sets aside what is in its place.
    private mutating func makeDatabase() throws(StorageFailure) {
        (database, progress, mustReplace) = (nil, nil, true)
        let snapshot = SnapshotProgress(document, number: number)
        try WholeDatabase.write(snapshot, to: folder.resolved(SessionFolder.pending), fileSystem: usedFileSystem)
        setAside = try folder.install() ?? setAside
        mark = SessionMark(number: number, checksum: snapshot.row.checksum)
        snapshotNumber = number
        (bytesSinceSnapshot, postponedTo) = (0, 0)
        (mustReplace, needsSnapshot) = (false, false)
        backlog.removeAll()
        let path = try folder.resolved(SessionFolder.database)
        try open(SessionDatabase.connect(path, fileSystem: usedFileSystem))
    }

    private mutating func open(_ connection: Database) throws(StorageFailure) {
        database = try SessionDatabase.open(try folder.resolved(SessionFolder.database), connection)
    }

    /// Closes the database after an error.
    private mutating func close(after error: StorageFailure) -> StorageFailure {
        (database, progress) = (nil, nil)
        if error.isDamage { mustReplace = true }
        return error
    }

    // MARK: Writing

    /// Stores the oldest changes, as many as fit into one transaction; without any, a step of the snapshot that is needed.
    mutating func write() throws(StorageFailure) {
        guard let database else { return }
        guard !backlog.isEmpty else { return needsSnapshot ? try writeSnapshot() : () }
        // Short ones, so that the log takes little of the room.
        var limit = isTight ? Backlog.pieceLimit / 4 : Backlog.pieceLimit
        var remedies: [Remedy] = [.checkpoint, .abandonedSnapshot]
        while true {
            let rows = backlog.piece(upTo: limit)
            do throws(StorageFailure) {
                try database.add(rows)
                return try note(rows)
            } catch {
                guard error.isLackOfSpace else { throw close(after: error) }
                isTight = true
                if !remedies.isEmpty {
                    try makeRoom(by: remedies.removeFirst())
                } else if rows.count > 1 {
                    limit = rows.reduce(0) { $0 + $1.content.count } / 2
                } else {
                    throw error
                }
            }
        }
    }

    private mutating func note(_ rows: [ChangeRow]) throws(StorageFailure) {
        guard let last = rows.last else { return }
        bytesSinceSnapshot += rows.reduce(0) { $0 + $1.content.count }
        mark = SessionMark(number: last.number, checksum: last.checksum)
        backlog.remove(through: last.number)
        // The log's room is used again by the next changes.
        if isTight { try checkpoint() }
        if backlog.isEmpty { isTight = false }
    }

    /// What makes room for changes on a full disk.
    private enum Remedy {
        case checkpoint
        case abandonedSnapshot
    }

    private mutating func makeRoom(by remedy: Remedy) throws(StorageFailure) {
        if remedy == .abandonedSnapshot {
            guard progress != nil else { return }
            try abandonSnapshot()
        }
        try checkpoint()
    }

    /// Copies the log into the database.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    mutating func checkpoint() throws(StorageFailure) -> Bool {
        do throws(StorageFailure) {
            try database?.checkpoint()
            return true
        } catch {
            guard error.isLackOfSpace else { throw close(after: error) }
            return false
        }
    }

    // MARK: Snapshots

    /// Begins a snapshot, writes a piece of it, or makes it valid.
    mutating func writeSnapshot() throws(StorageFailure) {
        guard let database, backlog.isEmpty else { return }
        if progress == nil { beginSnapshot() }
        guard let progress else { return }
        do throws(StorageFailure) {
            if let piece = progress.nextPiece {
                try database.add(piece)
                self.progress?.notePiece()
            } else {
                try database.add(progress.row, keepingPrevious: !isAfterGap)
                finish(progress)
            }
        } catch {
            guard error.isLackOfSpace else { throw close(after: error) }
            try abandonSnapshot()
            if needsSnapshot { throw error }
        }
    }

    private mutating func beginSnapshot() {
        let snapshot = SnapshotProgress(document, number: number)
        let room = (folder.freeSpace ?? .max / 2) + (database?.freeSpace ?? 0)
        // Twice, in the log and in the database; the rest is for changes.
        guard needsSnapshot || room >= 2 * snapshot.size + 65_536 else { return postponeSnapshot() }
        progress = snapshot
        bytesInProgress = bytesSinceSnapshot
    }

    private mutating func finish(_ snapshot: SnapshotProgress) {
        progress = nil
        snapshotNumber = snapshot.row.number
        bytesSinceSnapshot -= bytesInProgress
        postponedTo = 0
        // It is the only one.
        if isAfterGap { bytesSinceSnapshot += limits.snapshot }
        (needsSnapshot, isAfterGap) = (false, false)
        if mark.map({ $0.number < snapshot.row.number }) ?? true {
            mark = SessionMark(number: snapshot.row.number, checksum: snapshot.row.checksum)
        }
    }

    private mutating func abandonSnapshot() throws(StorageFailure) {
        progress = nil
        postponeSnapshot()
        do throws(StorageFailure) {
            try database?.abandonSnapshot()
        } catch {
            guard error.isLackOfSpace else { throw close(after: error) }
        }
    }

    private mutating func postponeSnapshot() {
        postponedTo = bytesSinceSnapshot + max(4096, snapshotLimit / 4)
    }

    // MARK: The end, and copies

    /// Empties the log, closes the database and unlocks the directory.
    mutating func close() {
        try? database?.checkpoint(truncating: true)
        database = nil
        folder.unlock()
    }

    /// Removes and returns the name of what was set aside.
    mutating func fetchSetAside() -> String? {
        defer { setAside = nil }
        return setAside
    }

    /// Work that makes a copy of the session as it is now, on any thread; nil if none may be made now.
    func copying() -> (@Sendable () throws(StorageFailure) -> Void)? {
        let copies = folder.copies
        guard copies.isDue else { return nil }
        return { [document, number] () throws(StorageFailure) in try copies.make(of: document, number: number) }
    }
}

/// A session that was found in the directory.
struct FoundSession {
    /// The session; a new one if neither database nor copy is readable.
    var document: Document
    var report: RecoveryReport
    /// The number of the last change in it.
    var number: Int64 = 0
    /// The length of the changes since its snapshot, in bytes.
    var bytes = 0
    var mark: SessionMark?
    /// Why nothing can be written there now, nil if it can.
    var obstacle: StorageFailure?
    /// The connection to the database, if that is whole and can be written.
    var connection: Database?
}
