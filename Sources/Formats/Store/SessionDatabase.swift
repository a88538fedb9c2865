import SQLite
import SystemSupport

/// The session's database, open for writing, and the only connection to it.
final class SessionDatabase {
    private let path: String
    private let connection: Database
    /// The file that was opened: another may get its name.
    private let identity: FileIdentity
    private let insertChange: Statement
    private let snapshots: SnapshotStatements

    /// The size of a page with its frame in the log.
    private static let frame = 4096 + 24

    private init(_ path: String, _ connection: Database) throws(SQLiteError) {
        self.path = path
        self.connection = connection
        identity = FileIdentity(path)
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = FULL")
        connection.watchLog()
        insertChange = try Statement("INSERT INTO changes VALUES(?, ?, ?)", on: connection)
        snapshots = try SnapshotStatements(connection)
    }

    // MARK: Opening

    /// Connects to a database without changing anything.
    static func connect(
        _ path: String, _ access: Database.Access = .readWrite, fileSystem: String?
    ) throws(StorageFailure) -> Database {
        try reporting(path) { () throws(SQLiteError) in
            let connection = try Database(path, access, fileSystem: fileSystem)
            // Before the first access: then the index of the log is in memory, not in a file that is shared.
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("PRAGMA cache_size = -1024")
            return connection
        }
    }

    /// Prepares a connection for writing.
    static func open(_ path: String, _ connection: Database) throws(StorageFailure) -> SessionDatabase {
        try reporting(path) { () throws(SQLiteError) in try SessionDatabase(path, connection) }
    }

    // MARK: Looking

    /// Whether a row that was stored in this session's database is in this one.
    func contains(_ mark: SessionMark) throws(StorageFailure) -> Bool {
        try reporting { () throws(SQLiteError) in
            for table in ["changes", "snapshots"] {
                let found = try connection.integer("SELECT checksum FROM \(table) WHERE number = \(mark.number)")
                if found == Int64(mark.checksum) { return true }
            }
            return false
        }
    }

    /// The number of the newest change.
    func newestNumber() throws(StorageFailure) -> Int64 {
        try reporting { () throws(SQLiteError) in
            let change = try connection.integer("SELECT max(number) FROM changes") ?? 0
            return max(change, try connection.integer("SELECT max(number) FROM snapshots") ?? 0)
        }
    }

    /// The number of the newest snapshot; 0 without any.
    func newestSnapshot() throws(StorageFailure) -> Int64 {
        try reporting { () throws(SQLiteError) in
            try connection.integer("SELECT max(number) FROM snapshots") ?? 0
        }
    }

    /// Bytes in the log that a checkpoint would copy.
    var logSize: Int { connection.logPages * Self.frame }

    /// Bytes within the file that can be used again.
    var freeSpace: UInt64 {
        UInt64(clamping: (try? connection.integer("PRAGMA freelist_count")) ?? 0) * 4096
    }

    /// - Throws: If the path leads to another file by now, or to none.
    func checkPlace() throws(StorageFailure) {
        guard identity == FileIdentity(path) else { throw .file(FileError("find", path, code: 2)) }
    }

    // MARK: Writing

    /// Stores changes; returns when they would survive a power cut.
    func add(_ rows: [ChangeRow]) throws(StorageFailure) {
        try committing { () throws(SQLiteError) in
            for row in rows {
                try insertChange.run(.integer(row.number), .integer(Int64(row.checksum)), .blob(row.content))
            }
        }
    }

    /// Stores a piece of a snapshot, before the first of which it removes those of unfinished ones.
    func add(_ piece: PieceRow) throws(StorageFailure) {
        try committing { () throws(SQLiteError) in
            if piece.part == 0 { try removeLoosePieces() }
            try snapshots.add(piece)
        }
    }

    /// Makes a snapshot valid whose pieces are stored, and removes what is older than the one before.
    ///
    /// - Parameter keepingPrevious: Whether the one before leads to the same state; otherwise it is removed, too.
    func add(_ row: SnapshotRow, keepingPrevious: Bool = true) throws(StorageFailure) {
        try committing { () throws(SQLiteError) in
            let newest = try connection.integer("SELECT max(number) FROM snapshots")
            let previous = keepingPrevious ? newest ?? row.number : row.number
            try snapshots.add(row)
            try connection.execute("DELETE FROM snapshots WHERE number < \(previous)")
            try connection.execute("DELETE FROM pieces WHERE snapshot < \(previous)")
            try connection.execute("DELETE FROM changes WHERE number <= \(previous)")
        }
    }

    /// Removes the pieces of unfinished snapshots.
    func abandonSnapshot() throws(StorageFailure) {
        try committing { () throws(SQLiteError) in try removeLoosePieces() }
    }

    private func removeLoosePieces() throws(SQLiteError) {
        try connection.execute("DELETE FROM pieces WHERE snapshot NOT IN (SELECT number FROM snapshots)")
    }

    /// Copies the log into the database.
    func checkpoint(truncating: Bool = false) throws(StorageFailure) {
        try reporting { () throws(SQLiteError) in try connection.checkpoint(truncating: truncating) }
    }

    private func committing(_ body: () throws(SQLiteError) -> Void) throws(StorageFailure) {
        try reporting { () throws(SQLiteError) in try connection.transaction(body) }
        try checkPlace()
    }

    private func reporting<Result>(_ body: () throws(SQLiteError) -> Result) throws(StorageFailure) -> Result {
        try Self.reporting(path, body)
    }

    private static func reporting<Result>(
        _ path: String, _ body: () throws(SQLiteError) -> Result
    ) throws(StorageFailure) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw StorageFailure(error, path) }
    }
}

/// A row by which a session's database is recognized.
struct SessionMark: Equatable {
    var number: Int64
    var checksum: UInt32
}
