import Foundation
import TestSupport
import Testing

@testable import SQLite

struct ConnectionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ access: Database.Access = .create) throws -> Database {
        try Database(directory.file("test.db"), access)
    }

    @Test func `values are read back as they were written`() throws {
        let connection = try open()
        try connection.execute("CREATE TABLE t(a, b, c, d, e)")
        try Statement("INSERT INTO t VALUES(?, ?, ?, ?, ?)", on: connection).run(
            .integer(.min), .real(0.1), .text("夜"), .blob([0, 1, 255]), .null)
        let statement = try Statement("SELECT * FROM t", on: connection)
        #expect(try statement.step())
        #expect(statement.integer(0) == .min)
        #expect(statement.real(1) == 0.1)
        #expect(statement.text(2) == "夜")
        #expect(statement.blob(3) == [0, 1, 255])
        #expect(statement.blob(4) == [])
        #expect(try !statement.step())
    }

    @Test func `an empty blob is not null`() throws {
        let connection = try open()
        try connection.execute("CREATE TABLE t(a BLOB NOT NULL)")
        try Statement("INSERT INTO t VALUES(?)", on: connection).run(.blob([]))
        #expect(try connection.integer("SELECT count(*) FROM t WHERE a = x''") == 1)
    }

    @Test func `a transaction that fails changes nothing, and the next one can begin`() throws {
        let connection = try open()
        try connection.execute("CREATE TABLE t(a UNIQUE)")
        let insert = try Statement("INSERT INTO t VALUES(?)", on: connection)
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try insert.run(.integer(1))
                try insert.run(.integer(1))
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        try connection.transaction { () throws(SQLiteError) in try insert.run(.integer(1)) }
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func `errors say what is wrong and of what kind it is`() throws {
        let connection = try open()
        #expect(throws: SQLiteError(code: 1, message: "no such table: t")) { try connection.execute("DELETE FROM t") }
        try directory.write(String(repeating: "no database", count: 100), to: "other.db")
        let other = try Database(directory.file("other.db"), .readWrite)
        let error = #expect(throws: SQLiteError.self) { try other.integer("PRAGMA user_version") }
        #expect(error?.kind == .damaged)
        let missing = #expect(throws: SQLiteError.self) { try Database(directory.file("none.db"), .readWrite) }
        #expect(missing?.kind == .open)
        #expect(missing?.systemCode == ENOENT)
    }

    @Test(arguments: [4096, 5000])
    func `a database that has lost its end is damaged`(bytes: Int) throws {
        let path = directory.file("test.db")
        do {
            let connection = try open()
            try connection.execute("CREATE TABLE t(a)")
            try connection.execute("INSERT INTO t VALUES(randomblob(20000))")
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let size = try #require(FileHandle(forReadingAtPath: path)).seekToEnd()
        #expect(truncate(path, off_t(size) - off_t(bytes)) == 0)
        let error = #expect(throws: SQLiteError.self) {
            let shortened = try Database(path, .readWrite)
            _ = try shortened.integer("SELECT sum(length(hex(a))) FROM t")
        }
        #expect(error?.kind == .damaged, "\(String(describing: error))")
    }

    @Test func `a symbolic link is not followed`() throws {
        try open().execute("CREATE TABLE t(a)")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link.db"), withDestinationPath: directory.file("test.db"))
        #expect(throws: SQLiteError.self) { try Database(directory.file("link.db"), .readWrite) }
    }

    @Test func `closing leaves the log as it is, and a checkpoint empties it`() throws {
        var connection: Database? = try open()
        try connection?.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection?.execute("PRAGMA journal_mode = WAL")
        connection?.watchLog()
        try connection?.execute("CREATE TABLE t(a)")
        #expect(connection?.logPages == 2)
        connection = nil
        #expect(try directory.read("test.db-wal").count > 8192)
        #expect(!FileManager.default.fileExists(atPath: directory.file("test.db-shm")))
        let next = try open()
        #expect(try next.integer("SELECT count(*) FROM t") == 0)
        try next.checkpoint(truncating: true)
        #expect(next.logPages == 0)
        #expect(try directory.read("test.db-wal").isEmpty)
    }
}
