import Foundation
import Music
import SQLite
import TestSupport
import Testing

@testable import Store

/// Damaged databases: what is restored of them, and what becomes of their files.
@Suite(.timeLimit(.minutes(isLongRun ? 20 : 3))) struct DamageTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path }

    init() throws { directory = try TemporaryDirectory() }

    /// A session with two snapshots and changes since, as its files were left.
    private func session(batches: Int, snapshot: Int = 4000, seed: UInt64 = 3) async throws -> EditSequence {
        var generator = SeededGenerator(seed: seed)
        let performance = EditSequence(batches: batches, using: &generator)
        let store = try OpenStore(path) { $0.limits.snapshot = snapshot }
        var document = store.document
        for batch in performance.batches {
            store.apply(batch, to: &document)
            _ = await store.flush()
        }
        #expect(await store.close())
        return performance
    }

    private func content(_ name: String = SessionFolder.database) throws -> [UInt8] {
        try [UInt8](directory.read(name))
    }

    private func write(_ bytes: [UInt8], _ name: String = SessionFolder.database) throws {
        try Data(bytes).write(to: URL(filePath: directory.file(name)))
    }

    /// Leaves only the session's files, with this content, and opens the session.
    private func reopened(_ bytes: [UInt8]) throws -> OpenStore {
        for name in try files(in: path, "session-") { try FileManager.default.removeItem(atPath: directory.file(name)) }
        for name in try files(in: path, "session.db-") {
            try FileManager.default.removeItem(atPath: directory.file(name))
        }
        try write(bytes)
        return try OpenStore(path)
    }

    /// Reads a database of this content.
    private func replay(_ bytes: [UInt8], _ name: String = "read.db") throws -> Replay {
        try write(bytes, name)
        return try SessionReader.read(directory.file(name), fileSystem: nil).replay
    }

    @Test func `a flipped bit in any byte loses nothing unseen`() async throws {
        let performance = try await session(batches: 8, snapshot: 1000)
        let bytes = try content()
        let whole = try replay(bytes)
        #expect(isSame(whole.document, performance.documents.last!))
        #expect(whole.damages.isEmpty)
        var (unseen, restored) = (0, 0)
        for offset in stride(from: 0, to: bytes.count, by: isLongRun ? 1 : 17) {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8(offset % 8)
            let replay = try replay(damaged)
            let isWhole = isSame(replay.document, performance.documents.last!)
            if isWhole, replay.damages.isEmpty { unseen += 1 }
            if isWhole { restored += 1 }
            // A session is one that existed, and what is missing is known.
            #expect(replay.document.map(performance.documents.contains) ?? true, "\(offset)")
            #expect(isWhole || !replay.damages.isEmpty, "\(offset)")
        }
        print("damage to \(unseen) bytes was unseen, to \(restored) without loss, of \(bytes.count)")
        #expect(restored > unseen)
    }

    @Test func `a database cut anywhere gives a session that existed`() async throws {
        let performance = try await session(batches: 40, snapshot: 1500)
        let bytes = try content()
        for count in stride(from: 0, to: bytes.count, by: 1024) {
            let replay = try replay(Array(bytes.prefix(count)))
            #expect(replay.document.map(performance.documents.contains) ?? true, "\(count)")
            // Without its last pages nothing is lost if they were free.
            let isWhole = isSame(replay.document, performance.documents.last!)
            #expect(isWhole || !replay.damages.isEmpty, "\(count)")
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a large session survives damage at random places`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let performance = try await session(batches: 200, snapshot: 15_000, seed: seed)
        let bytes = try content()
        for _ in 0..<5 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let start = Int.random(in: bytes.indices, using: &generator)
                let end = min(start + Int.random(in: 1...600, using: &generator), bytes.count)
                for offset in start..<end { damaged[offset] = .random(in: 0...255, using: &generator) }
            }
            let store = try reopened(damaged)
            let isWhole = isSame(store.document, performance.documents.last!)
            #expect(isWhole || !store.opened.report.damages.isEmpty)
            #expect(
                store.opened.report.source == .lost && store.document == Document()
                    || performance.documents.contains(store.document))
            var document = store.document
            store.apply([.setName("after")], to: &document)
            #expect(await store.close())
            let replay = try stored(in: path)
            #expect(isSame(replay.document, document))
            #expect(replay.damages.isEmpty)
            if !store.opened.report.damages.isEmpty {
                let aside = try #require(try files(in: path, "session-aside-").first { $0.hasSuffix(".db") })
                #expect(try content(aside) == damaged)
            }
        }
    }

    @Test func `damage to the newer snapshot loses nothing`() async throws {
        let performance = try await session(batches: 60, snapshot: 1500)
        let bytes = try content()
        let newest = try #require(try replay(bytes).snapshot)
        do {
            let connection = try SessionDatabase.connect(directory.file("session.db"), fileSystem: nil)
            try connection.execute("UPDATE pieces SET checksum = checksum + 1 WHERE snapshot = \(newest)")
            try connection.checkpoint(truncating: true)
        }
        let store = try OpenStore(path)
        #expect(isSame(store.document, performance.documents.last!))
        #expect(store.document.history.undoCount > 0)
        #expect(store.opened.report.damages.map(\.reason) == [.snapshot(newest)])
        guard case .database(let older) = store.opened.report.source else { throw CancellationError() }
        #expect(older < newest)
        #expect(await store.close())
    }

    @Test func `a damaged log ends the session with the last whole commit before it`() async throws {
        let store = try OpenStore(path)
        var document = store.document
        var documents = [document]
        for name in ["A", "B", "C", "D"] {
            store.apply([.setName(name)], to: &document)
            documents.append(document)
            #expect(await store.flush())
        }
        let copy = try TemporaryDirectory()
        for name in ["session.db", "session.db-wal"] {
            #expect(ChildProgram.succeeds(["cp", directory.file(name), copy.file(name)]))
        }
        #expect(await store.close())
        var log = try [UInt8](copy.read("session.db-wal"))
        log[log.count - 2000] ^= 1
        try Data(log).write(to: URL(filePath: copy.file("session.db-wal")))
        let next = try OpenStore(copy.path)
        #expect(documents.dropLast().contains(next.document))
        #expect(next.document.pattern.name == "C")
        #expect(next.opened.report.damages.isEmpty)
        #expect(await next.close())
    }

    @Test func `a log whose database is gone is set aside, not deleted`() async throws {
        _ = try await session(batches: 3)
        try write([1, 2, 3], "session.db-wal")
        try FileManager.default.removeItem(atPath: directory.file("session.db"))
        let store = try OpenStore(path)
        #expect(store.opened.report.source == .lost)
        #expect(store.opened.report.damages.map(\.description) == ["session.db is gone, but not its log"])
        #expect(await store.close())
        let aside = try #require(try files(in: path, "session-aside-").first)
        #expect(aside.hasSuffix(".db-wal"))
        #expect(try content(aside) == [1, 2, 3])
    }

    @Test(arguments: [[], Array("no database at all".utf8), [UInt8](repeating: 0, count: 9000)])
    func `what is no database is set aside, and a new session begun`(bytes: [UInt8]) async throws {
        try write(bytes)
        let store = try OpenStore(path)
        #expect(store.opened.report.source == .lost)
        #expect(!store.opened.report.damages.isEmpty)
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.close())
        let aside = try files(in: path, "session-aside-")
        #expect(aside.count == 1)
        #expect(try content(#require(aside.first)) == bytes)
        #expect(isSame(try stored(in: path).document, document))
    }

    @Test func `a newer version's session is set aside, and the newest readable copy loaded`() async throws {
        let performance = try await session(batches: 5)
        let store = try OpenStore(path)
        try await waitUntil { try files(in: path, "session-copy-2").count == 1 }
        #expect(await store.close())
        let copy = try files(in: path, "session-copy-2")[0]
        do {
            let connection = try SessionDatabase.connect(directory.file("session.db"), fileSystem: nil)
            try connection.execute("PRAGMA user_version = 2")
            try connection.checkpoint(truncating: true)
        }
        let next = try OpenStore(path)
        #expect(next.opened.report.source == .copy(copy))
        #expect(next.opened.report.damages.map(\.reason) == [.version(2)])
        #expect(isSame(next.document, performance.documents.last!))
        #expect(await next.close())
        #expect(try files(in: path, "session-aside-").contains { $0.hasSuffix(".db") })
    }

    @Test func `another table's page in place of the changes is noticed`() async throws {
        _ = try await session(batches: 8, snapshot: 1 << 20)
        let connection = try SessionDatabase.connect(directory.file("session.db"), fileSystem: nil)
        let size = try #require(try connection.integer("PRAGMA page_size"))
        func page(of table: String) throws -> Range<Int> {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"
            let end = Int(try #require(try connection.integer(sql)) * size)
            return end - Int(size)..<end
        }
        var bytes = try content()
        try bytes.replaceSubrange(page(of: "changes"), with: bytes[page(of: "snapshots")])
        let replay = try replay(bytes)
        #expect(replay.document != nil && replay.count == 0)
        #expect(replay.damages == [.change(0)])
    }

    @Test func `a trigger or another table makes a database foreign`() async throws {
        _ = try await session(batches: 5)
        do {
            let connection = try SessionDatabase.connect(directory.file("session.db"), fileSystem: nil)
            try connection.execute(
                "CREATE TRIGGER t AFTER INSERT ON changes BEGIN DELETE FROM snapshots; END")
            try connection.checkpoint(truncating: true)
        }
        let store = try OpenStore(path)
        #expect(store.opened.report.damages.map(\.reason) == [.database("its tables are not a session's")])
        #expect(await store.close())
    }

    @Test func `a new database that a power cut kept from its place is put there`() async throws {
        let performance = try await session(batches: 5)
        // As after the old one was set aside.
        SessionFile.remove(directory.file("session.db"))
        let snapshot = SnapshotProgress(performance.documents.last!, number: 5)
        try WholeDatabase.write(snapshot, to: directory.file("session-new.db"))
        let store = try OpenStore(path)
        #expect(isSame(store.document, performance.documents.last!))
        #expect(store.opened.report.damages.isEmpty)
        #expect(await store.close())
    }

    @Test func `damage that shows while the session is open is repaired from what is in memory`() async throws {
        let performance = try await session(batches: 40, snapshot: 1500)
        let disk = FaultyDisk()
        let store = try OpenStore(path) { $0.fileSystem = disk.name }
        var document = store.document
        #expect(isSame(document, performance.documents.last!))
        try write([UInt8](repeating: 0xff, count: content().count))
        // The database is opened again.
        disk.fail(.sync, with: EIO)
        store.apply([.setName("after")], to: &document)
        await store.waitUntilFailing(EIO)
        disk.fail(.sync, with: nil)
        await store.waitUntilSaving()
        #expect(await store.close())
        let replay = try stored(in: path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
        #expect(try !files(in: path, "session-aside-").isEmpty)
    }
}
