import SQLite

/// The tables of a session's database.
enum SessionSchema {
    /// The format's number; a new one if an older daemon would misread anything, contents included.
    static let version: Int64 = 1

    private static let tables = [
        "CREATE TABLE changes(number INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, content BLOB NOT NULL)",
        """
        CREATE TABLE pieces(snapshot INTEGER, part INTEGER, checksum INTEGER NOT NULL, content BLOB NOT NULL, \
        PRIMARY KEY(snapshot, part)) WITHOUT ROWID
        """,
        """
        CREATE TABLE snapshots(number INTEGER PRIMARY KEY, parts INTEGER NOT NULL, bytes INTEGER NOT NULL, \
        checksum INTEGER NOT NULL)
        """,
    ]

    /// Makes the tables in an empty database.
    static func create(in connection: Database) throws(SQLiteError) {
        for table in tables { try connection.execute(table) }
        try connection.execute("PRAGMA user_version = \(version)")
    }

    /// Why a database cannot be read, nil if it can: a newer version, or other tables, triggers and views.
    static func objection(to connection: Database) throws(SQLiteError) -> Damage.Reason? {
        let found = try connection.integer("PRAGMA user_version") ?? 0
        guard found <= version else { return .version(found) }
        let statement = try Statement("SELECT sql FROM sqlite_schema ORDER BY name", on: connection)
        var definitions: [String] = []
        while try statement.step() { definitions.append(statement.text(0)) }
        return definitions == tables && found == version ? nil : .database("its tables are not a session's")
    }
}
