import SQLite

/// Reads a session from a database, as far as it can be read.
struct SessionReader {
    private let connection: Database
    /// Whether what the system cannot read counts as damage; otherwise it is an error.
    private let isLastTry: Bool
    private let path: String
    private var replay = Replay()

    private init(_ connection: Database, path: String, isLastTry: Bool) {
        (self.connection, self.path, self.isLastTry) = (connection, path, isLastTry)
    }

    /// Connects to a database and reads it.
    ///
    /// - Parameters:
    ///   - access: Read-only for databases without a log.
    ///   - isLastTry: Whether what the system cannot read counts as damage; otherwise it is an error.
    /// - Returns: What it holds, and the connection if it is whole.
    static func read(
        _ path: String, _ access: Database.Access = .readWrite, fileSystem: String?, isLastTry: Bool = false
    ) throws(StorageFailure) -> (replay: Replay, connection: Database?) {
        do throws(StorageFailure) {
            let connection = try SessionDatabase.connect(path, access, fileSystem: fileSystem)
            let replay = try read(connection, path: path, isLastTry: isLastTry)
            return (replay, replay.damages.isEmpty ? connection : nil)
        } catch {
            guard error.isDamage || isLastTry && error.isOfReading else { throw error }
            var replay = Replay()
            if case .database(_, let reason) = error {
                replay.note(.database(reason.message))
            } else {
                replay.note(.unreadable(error))
            }
            return (replay, nil)
        }
    }

    private static func read(
        _ connection: Database, path: String, isLastTry: Bool
    ) throws(StorageFailure) -> Replay {
        var reader = SessionReader(connection, path: path, isLastTry: isLastTry)
        do throws(SQLiteError) {
            guard try reader.check() else { return reader.replay }
            try reader.readSnapshots()
            try reader.readChanges()
            return reader.replay
        } catch {
            throw StorageFailure(error, path)
        }
    }

    /// Looks at the database as such; false if its content cannot be used at all.
    private mutating func check() throws(SQLiteError) -> Bool {
        var isUsable = false
        try noting { (reader) throws(SQLiteError) in
            if let objection = try SessionSchema.objection(to: reader.connection) {
                return reader.replay.note(objection)
            }
            isUsable = true
        }
        guard isUsable else { return false }
        try noting { (reader) throws(SQLiteError) in
            let verdict = try reader.connection.text("PRAGMA quick_check(1)") ?? ""
            if verdict != "ok" { reader.replay.note(.database(verdict.replacing("\n", with: " "))) }
        }
        return true
    }

    private mutating func readSnapshots() throws(SQLiteError) {
        var rows: [SnapshotRow] = []
        try noting { (reader) throws(SQLiteError) in
            let sql = "SELECT number, parts, bytes, checksum FROM snapshots ORDER BY number DESC"
            let statement = try Statement(sql, on: reader.connection)
            while try statement.step() {
                rows.append(
                    SnapshotRow(
                        number: statement.integer(0), parts: statement.integer(1), bytes: statement.integer(2),
                        checksum: UInt32(truncatingIfNeeded: statement.integer(3))))
            }
        }
        for row in rows {
            var pieces: [PieceRow] = []
            try noting { (reader) throws(SQLiteError) in pieces = try reader.pieces(of: row) }
            replay.add(row, pieces)
        }
        if rows.isEmpty { replay.note(.empty) }
    }

    private func pieces(of row: SnapshotRow) throws(SQLiteError) -> [PieceRow] {
        let sql = "SELECT part, checksum, content FROM pieces WHERE snapshot = ? ORDER BY part"
        let statement = try Statement(sql, on: connection)
        try statement.bind([.integer(row.number)])
        var (pieces, size): ([PieceRow], Int) = ([], 0)
        while size <= Replay.snapshotLimit, try statement.step() {
            let content = statement.blob(2)
            size += content.count
            pieces.append(
                PieceRow(
                    snapshot: row.number, part: statement.integer(0),
                    checksum: UInt32(truncatingIfNeeded: statement.integer(1)), content: content))
        }
        return pieces
    }

    private mutating func readChanges() throws(SQLiteError) {
        guard let start = replay.start else { return }
        try noting { (reader) throws(SQLiteError) in
            let sql = "SELECT number, checksum, content FROM changes ORDER BY number"
            let statement = try Statement(sql, on: reader.connection)
            while try statement.step() {
                let row = ChangeRow(
                    number: statement.integer(0), checksum: UInt32(truncatingIfNeeded: statement.integer(1)),
                    content: statement.blob(2))
                guard row.number > start else {
                    // Not needed; but another table's page in place of this one's would have rows that are not whole.
                    if !row.isWhole { reader.replay.note(.change(row.number)) }
                    continue
                }
                guard reader.replay.add(row) else { return }
            }
            reader.replay.finish()
        }
    }

    /// Notes damage that stops a part of the reading.
    private mutating func noting(_ body: (inout SessionReader) throws(SQLiteError) -> Void) throws(SQLiteError) {
        do throws(SQLiteError) {
            try body(&self)
        } catch {
            switch error.kind {
            case .damaged: replay.note(.database(error.message))
            case .read where isLastTry: replay.note(.unreadable(StorageFailure(error, path)))
            default: throw error
            }
        }
    }
}
