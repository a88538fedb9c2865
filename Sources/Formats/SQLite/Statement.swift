import CSQLite

/// A value that a statement is given.
public enum Value: Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case null
}

/// A prepared statement, which keeps its connection open.
public final class Statement {
    private let connection: Database
    private let handle: OpaquePointer

    public init(_ sql: String, on connection: Database) throws(SQLiteError) {
        self.connection = connection
        var prepared: OpaquePointer?
        try connection.check(sqlite3_prepare_v2(connection.handle, sql, -1, &prepared, nil))
        guard let prepared else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement") }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to its end with values for its parameters.
    public func run(_ values: Value...) throws(SQLiteError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Sets the parameters, in their order, of a statement that has not begun or was reset.
    public func bind(_ values: [Value]) throws(SQLiteError) {
        for (index, value) in zip((1 as Int32)..., values) { try connection.check(bind(value, index)) }
    }

    private func bind(_ value: Value, _ index: Int32) -> Int32 {
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(let text): csqlite_bind_text(handle, index, text)
        case .blob(let bytes):
            bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        case .null: sqlite3_bind_null(handle, index)
        }
    }

    /// Goes to the next row; false at the end.
    public func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(code: code, of: connection.handle)
        }
    }

    /// Ends the statement, to be run again.
    public func reset() { sqlite3_reset(handle) }

    // MARK: The current row's columns

    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    public func text(_ column: Int) -> String {
        sqlite3_column_text(handle, Int32(column)).map { String(cString: $0) } ?? ""
    }

    public func blob(_ column: Int) -> [UInt8] {
        let bytes = sqlite3_column_blob(handle, Int32(column))
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }
}
