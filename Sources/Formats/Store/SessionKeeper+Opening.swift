import Music
import SQLite
import SystemSupport

// Finding a session, reading it, and making a new database.
extension SessionKeeper {
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
    mutating func close(after error: StorageFailure) -> StorageFailure {
        (database, progress) = (nil, nil)
        if error.isDamage { mustReplace = true }
        return error
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
