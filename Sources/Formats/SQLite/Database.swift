import CSQLite

/// A connection to a database, for one thread at a time. It closes when it and its statements are gone, and then leaves
/// the log as it is.
public final class Database {
    /// What may be done with the file.
    public enum Access: Sendable {
        case readOnly
        case readWrite
        /// Creates the file if there is none.
        case create

        fileprivate var flags: Int32 {
            switch self {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    let handle: OpaquePointer
    /// The pages in the log after the last commit.
    public private(set) var logPages = 0

    /// Opens a database. The file is first read by the first statement.
    ///
    /// - Parameters:
    ///   - path: No component of it may be a symbolic link.
    ///   - fileSystem: The name of one of SQLite's virtual file systems; nil for the usual.
    public init(_ path: String, _ access: Access, fileSystem: String? = nil) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &opened, flags, fileSystem)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(code: opened.map { sqlite3_extended_errcode($0) } ?? code, of: opened)
            sqlite3_close(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        _ = csqlite_keep_log_on_close(handle)
        // What a damaged or foreign file contains must not run or mislead anything.
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA cell_size_check = ON")
    }

    deinit { sqlite3_close(handle) }

    /// Whether a transaction has begun.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements that return nothing of interest.
    public func execute(_ sql: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The first column of the first row that a statement returns; nil without rows.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row that a statement returns, as text; nil without rows.
    public func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Runs statements that take effect together or not at all.
    public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try execute("COMMIT")
        } catch {
            // After some errors SQLite has rolled back by itself.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Counts ``logPages`` from now on, and leaves checkpoints to the caller.
    public func watchLog() {
        let countPages: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt =
            {
                context, _, _, pages in
                if let context { Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages) }
                return SQLITE_OK
            }
        // Called by this connection's commits only, so that it is there.
        sqlite3_wal_hook(handle, countPages, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies the log into the database and flushes both.
    ///
    /// - Parameter truncating: Whether the log is left empty; otherwise it keeps its length, and is written from its start.
    public func checkpoint(truncating: Bool = false) throws(SQLiteError) {
        var (inLog, copied): (Int32, Int32) = (0, 0)
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        try check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &inLog, &copied))
        logPages = truncating ? 0 : Int(max(0, inLog - copied))
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(code: code, of: handle) }
    }
}
