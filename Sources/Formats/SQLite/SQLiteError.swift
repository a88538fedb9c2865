import CSQLite

/// A call of SQLite that failed.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The extended result code.
    public let code: Int32
    /// SQLite's reason in words.
    public let message: String
    /// `errno` of the system call that failed; 0 if it was none.
    public let systemCode: Int32

    public init(code: Int32, message: String, systemCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.systemCode = systemCode
    }

    /// The error of a connection's last call.
    init(code: Int32, of connection: OpaquePointer?) {
        let isOfSystem = connection != nil && [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
        self.init(
            code: code,
            message: String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection)),
            systemCode: isOfSystem ? csqlite_last_errno(connection) : 0)
    }

    /// What went wrong.
    public enum Kind: Sendable {
        /// The disk is full.
        case full
        /// The file is no database, has lost its structure or its end, or has other tables than expected.
        case damaged
        /// The system could not open, read, write or flush a file.
        case open, read, write, flush
        case other
    }

    public var kind: Kind {
        switch (code & 0xff, code) {
        case (SQLITE_FULL, _): .full
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _), (SQLITE_ERROR, _), (SQLITE_TOOBIG, _): .damaged
        case (_, csqlite_ioerr_short_read): .damaged
        case (SQLITE_CANTOPEN, _): .open
        case (_, csqlite_ioerr_read): .read
        case (_, csqlite_ioerr_fsync), (_, csqlite_ioerr_dir_fsync): .flush
        case (SQLITE_IOERR, _): .write
        default: .other
        }
    }

    public var description: String { message }
}
