import SQLite

/// Writes a session as a whole new database with one snapshot.
enum WholeDatabase {
    /// Returns when the file would survive a power cut; on failure there is none.
    static func write(
        _ snapshot: SnapshotProgress, to path: String, fileSystem: String? = nil
    ) throws(StorageFailure) {
        do throws(StorageFailure) {
            try SessionFile.createEmpty(path)
            try fill(path, with: snapshot, fileSystem)
            try SessionFile.flush(path)
        } catch {
            SessionFile.remove(path)
            throw error
        }
    }

    private static func fill(
        _ path: String, with snapshot: SnapshotProgress, _ fileSystem: String?
    ) throws(StorageFailure) {
        do throws(SQLiteError) {
            let connection = try Database(path, .readWrite, fileSystem: fileSystem)
            // Nobody reads it before it is complete.
            try connection.execute("PRAGMA journal_mode = OFF")
            try connection.execute("PRAGMA synchronous = OFF")
            try connection.transaction { () throws(SQLiteError) in
                try SessionSchema.create(in: connection)
                let insert = try SnapshotStatements(connection)
                for piece in snapshot.pieces { try insert.add(piece) }
                try insert.add(snapshot.row)
            }
        } catch {
            throw StorageFailure(error, path)
        }
    }
}

/// The statements that write a snapshot.
struct SnapshotStatements {
    private let piece: Statement
    private let snapshot: Statement

    init(_ connection: Database) throws(SQLiteError) {
        piece = try Statement("INSERT INTO pieces VALUES(?, ?, ?, ?)", on: connection)
        snapshot = try Statement("INSERT INTO snapshots VALUES(?, ?, ?, ?)", on: connection)
    }

    func add(_ row: PieceRow) throws(SQLiteError) {
        try piece.run(
            .integer(row.snapshot), .integer(row.part), .integer(Int64(row.checksum)), .blob(row.content))
    }

    func add(_ row: SnapshotRow) throws(SQLiteError) {
        try snapshot.run(
            .integer(row.number), .integer(row.parts), .integer(row.bytes), .integer(Int64(row.checksum)))
    }
}
