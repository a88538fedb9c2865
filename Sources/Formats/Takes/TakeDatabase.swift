import Glibc
import SQLite
import SystemSupport

/// The database of takes: a take is a row, and its content pieces of one compressed stream, each at most 64 KiB. For one
/// thread.
///
///     takes.db, takes.db-wal
///     takes-aside-20261128-153000.db   a damaged one, set aside at that time (UTC), with its -wal
final class TakeDatabase {
    private let connection: Database
    private let insertTake: Statement
    private let insertPiece: Statement
    private let updateTake: Statement

    /// The version of the database.
    static let format: Int64 = 1
    /// The most bytes in a piece.
    static let longestPiece = 1 << 16
    /// Pieces are numbered from the take's number times this.
    private static let piecesPerTake: Int64 = 1 << 32

    private static let tables = [
        """
        CREATE TABLE IF NOT EXISTS takes(number INTEGER PRIMARY KEY AUTOINCREMENT, format INTEGER NOT NULL, \
        engine INTEGER NOT NULL, architecture TEXT NOT NULL, rate INTEGER NOT NULL, began INTEGER NOT NULL, \
        pattern TEXT NOT NULL, frames INTEGER NOT NULL, played INTEGER NOT NULL, inexact INTEGER, \
        starred INTEGER NOT NULL, ended INTEGER NOT NULL, size INTEGER NOT NULL)
        """,
        // The checksum is of the place and the content.
        """
        CREATE TABLE IF NOT EXISTS pieces(place INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, content BLOB NOT NULL)
        """,
    ]

    /// Opens the database, or makes a new one that only its owner can read. Takes that a killed daemon left end.
    ///
    /// - Parameter path: Without symbolic links.
    init(_ path: String, fileSystem: String? = nil) throws(SQLiteError) {
        let descriptor = retryingInterrupted { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else {
            throw SQLiteError(code: 14, message: String(cString: strerror(errno)), systemCode: errno)
        }
        // No connection has it open, whose locks this would drop.
        close(descriptor)
        let connection = try Database(path, .readWrite, fileSystem: fileSystem)
        self.connection = connection
        // Before the first access: then the index of the log is in memory, not in a file that is shared.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("PRAGMA auto_vacuum = FULL")
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = NORMAL")
        try connection.execute("PRAGMA cache_size = -1024")
        connection.watchLog()
        let found = try connection.integer("PRAGMA user_version") ?? 0
        guard found <= Self.format else {
            throw SQLiteError(code: 11, message: "the database was written by a newer version")
        }
        try connection.transaction { () throws(SQLiteError) in
            for table in Self.tables { try connection.execute(table) }
            try connection.execute("PRAGMA user_version = \(Self.format)")
            try Self.repair(connection)
        }
        insertTake = try Statement(
            "INSERT INTO takes VALUES(NULL, ?, ?, ?, ?, ?, ?, 0, 0, NULL, 0, 0, 0)", on: connection)
        insertPiece = try Statement("INSERT INTO pieces VALUES(?, ?, ?)", on: connection)
        updateTake = try Statement(
            "UPDATE takes SET frames = ?, played = ?, inexact = ?, size = size + ?, ended = ? WHERE number = ?",
            on: connection)
    }

    /// Ends takes that a killed daemon left, and removes those whose content has no beginning: it was never stored, or a number is
    /// damaged, which the next take must not count on from.
    private static func repair(_ connection: Database) throws(SQLiteError) {
        try connection.execute("UPDATE takes SET ended = 1 WHERE ended <> 1")
        try connection.execute(
            """
            DELETE FROM takes WHERE number NOT BETWEEN 1 AND \(Self.numbers.upperBound) \
            OR NOT EXISTS (SELECT 1 FROM pieces WHERE place = number * \(Self.piecesPerTake))
            """)
        try connection.execute(
            """
            UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(number), 0) FROM takes) \
            WHERE name = 'takes' AND seq NOT BETWEEN 0 AND \(Self.numbers.upperBound / 2)
            """)
    }

    // MARK: Writing

    /// Adds a take; returns its number.
    func begin(_ head: TakeHead) throws(SQLiteError) -> Int64 {
        try insertTake.run(
            .integer(Int64(KeptTake.readableFormat)), .integer(Int64(head.engineVersion)), .text(head.architecture),
            .integer(Int64(head.sampleRate)), .integer(Int64(head.began)), .text(head.pattern))
        let number = try connection.integer("SELECT last_insert_rowid()") ?? 0
        guard Self.numbers.contains(number) else {
            throw SQLiteError(code: 11, message: "the next take would have number \(number)")
        }
        return number
    }

    /// Adds pieces of a take, and how far it has come, together.
    ///
    /// - Parameter first: The number of the first of the pieces, from 0.
    func add(
        _ pieces: [[UInt8]], from first: Int, of number: Int64, _ progress: TakeProgress, isEnd: Bool
    ) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            for (index, piece) in pieces.enumerated() {
                let place = number * Self.piecesPerTake + Int64(first + index)
                try insertPiece.run(
                    .integer(place), .integer(Int64(Self.checksum(of: piece, at: place))), .blob(piece))
            }
            try updateTake.run(
                .integer(progress.frames), .integer(progress.hasPlayed ? 1 : 0),
                progress.inexactFrom.map { .integer($0) } ?? .null,
                .integer(Int64(pieces.reduce(0) { $0 + $1.count })), .integer(isEnd ? 1 : 0), .integer(number))
        }
    }

    /// Sets or takes away a take's star.
    ///
    /// - Returns: Whether there is such a take.
    func star(_ number: Int64, _ isOn: Bool) throws(SQLiteError) -> Bool {
        try Statement("UPDATE takes SET starred = ? WHERE number = ?", on: connection)
            .run(.integer(isOn ? 1 : 0), .integer(number))
        return try connection.integer("SELECT changes()") == 1
    }

    /// Deletes a take that has ended.
    ///
    /// - Returns: Whether there was one.
    func delete(_ number: Int64) throws(SQLiteError) -> Bool {
        guard try connection.integer("SELECT ended FROM takes WHERE number = \(number)") == 1 else { return false }
        try connection.transaction { () throws(SQLiteError) in try remove(number) }
        return true
    }

    private func remove(_ number: Int64) throws(SQLiteError) {
        if let places = Self.places(of: number) {
            try connection.execute(
                "DELETE FROM pieces WHERE place BETWEEN \(places.lowerBound) AND \(places.upperBound)")
        }
        try connection.execute("DELETE FROM takes WHERE number = \(number)")
    }

    /// The numbers that takes can have.
    private static let numbers: ClosedRange<Int64> = 1...Int64(Int32.max)

    /// Where a take's pieces are; nil for a number that no take can have.
    private static func places(of number: Int64) -> ClosedRange<Int64>? {
        guard numbers.contains(number) else { return nil }
        let first = number * piecesPerTake
        return first...first + (piecesPerTake - 1)
    }

    private static func checksum(of piece: [UInt8], at place: Int64) -> UInt32 {
        let place = withUnsafeBytes(of: place.littleEndian) { Array($0) }
        return Takes.checksum(of: piece, after: Takes.checksum(of: place))
    }

    /// Deletes what is more than the limits allow: the oldest first, never the current take or starred ones.
    func removeSurplus(_ limits: TakeLimits) throws(SQLiteError) {
        let isSketch = "(played = 0 AND frames < \(KeptTake.longestSketch) * rate)"
        for (kind, kept) in [("NOT \(isSketch)", limits.takes), (isSketch, limits.sketches)] {
            let surplus = try Statement(
                """
                SELECT number FROM takes WHERE \(kind) AND starred = 0 AND ended = 1 \
                ORDER BY number DESC LIMIT -1 OFFSET \(kept)
                """, on: connection)
            var numbers: [Int64] = []
            while try surplus.step() { numbers.append(surplus.integer(0)) }
            for number in numbers { try deleteSparingLog(number) }
        }
    }

    /// Deletes the oldest takes, but not the current one or starred ones, until the database keeps within a limit.
    ///
    /// - Returns: Whether it does.
    func makeRoom(_ limit: Int) throws(SQLiteError) -> Bool {
        guard try size > limit else { return true }
        let lasting = try connection.integer("SELECT sum(size) FROM takes WHERE starred = 1 OR ended = 0") ?? 0
        guard lasting <= limit else { return false }
        while try size > limit {
            let oldest = "SELECT number FROM takes WHERE starred = 0 AND ended = 1 ORDER BY number LIMIT 1"
            guard let number = try connection.integer(oldest) else { return false }
            try deleteSparingLog(number)
        }
        return true
    }

    /// Deletes one of many: the log, into which auto-vacuum copies what it moves, stays short.
    private func deleteSparingLog(_ number: Int64) throws(SQLiteError) {
        _ = try delete(number)
        if connection.logPages > Self.longestLog { try checkpoint(truncating: true) }
    }

    /// Pages, 16 MiB.
    private static let longestLog = 4096

    /// Whether there is anything in the log.
    var hasLog: Bool { connection.logPages > 0 }

    /// Copies the log into the database and flushes both.
    func checkpoint(truncating: Bool = false) throws(SQLiteError) { try connection.checkpoint(truncating: truncating) }

    // MARK: Reading

    /// Bytes of the database.
    var size: Int {
        get throws(SQLiteError) {
            Int(try connection.integer("PRAGMA page_count") ?? 0) * Int(try connection.integer("PRAGMA page_size") ?? 0)
        }
    }

    /// All takes, the oldest first.
    func entries() throws(SQLiteError) -> [KeptTake] {
        let statement = try Statement("SELECT *, inexact IS NULL FROM takes ORDER BY number", on: connection)
        var entries: [KeptTake] = []
        while try statement.step() {
            let head = TakeHead(
                engineVersion: Int(statement.integer(2)), architecture: statement.text(3),
                sampleRate: Int(statement.integer(4)), began: Int(statement.integer(5)), pattern: statement.text(6))
            let progress = TakeProgress(
                frames: min(max(0, statement.integer(7)), KeptTake.longest), hasPlayed: statement.integer(8) != 0,
                inexactFrom: statement.integer(13) == 1 ? nil : statement.integer(9))
            entries.append(
                KeptTake(
                    number: statement.integer(0), format: Int(statement.integer(1)), head: head, progress: progress,
                    isStarred: statement.integer(10) != 0, isCurrent: statement.integer(11) == 0,
                    size: Int(statement.integer(12))))
        }
        return entries
    }

    /// Pieces of a take in their order, from one of them on; about as many bytes as asked for. A damaged piece, and what
    /// follows it, is left out.
    func pieces(of number: Int64, from first: Int, limit: Int) throws(SQLiteError) -> [[UInt8]] {
        guard let places = Self.places(of: number), (0..<Int(Self.piecesPerTake)).contains(first) else { return [] }
        var place = places.lowerBound + Int64(first)
        let statement = try Statement(
            """
            SELECT place, checksum, content FROM pieces WHERE place BETWEEN \(place) AND \(places.upperBound) \
            ORDER BY place
            """, on: connection)
        var pieces: [[UInt8]] = []
        var count = 0
        while count < limit, try statement.step() {
            let piece = statement.blob(2)
            let isWhole = statement.integer(1) == Int64(Self.checksum(of: piece, at: place))
            guard statement.integer(0) == place, isWhole else { break }
            pieces.append(piece)
            count += piece.count
            place += 1
        }
        return pieces
    }
}
