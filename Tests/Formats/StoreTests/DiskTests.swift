import Foundation
import Glibc
import Music
import SystemSupport
import TestNeeds
import TestSupport
import Testing

@testable import Store

/// Real disks that are full or read-only.
@Suite(.needs(.smallDisk), .timeLimit(.minutes(1))) struct SmallDiskTests {
    /// Opens a session and stores a first change.
    private func open(_ disk: SmallDisk) async throws -> (OpenStore, Document) {
        let store = try OpenStore(disk.path)
        #expect(store.opened.status == .saving)
        var document = store.document
        store.apply([.setName("before")], to: &document)
        #expect(await store.flush())
        return (store, document)
    }

    private func makeRoom(_ bytes: Int, on disk: SmallDisk) throws {
        let ballast = try disk.directory.read("ballast").count
        #expect(truncate(disk.directory.file("ballast"), ballast - bytes) == 0)
    }

    @Test func `on a full disk it keeps running, reports it, and writes everything once there is room`() async throws {
        let disk = try SmallDisk(size: 1 << 20)
        var (store, document) = try await open(disk)
        var generator = SeededGenerator(seed: 1)
        try disk.fill()
        let performance = EditSequence(from: document, batches: 100, using: &generator)
        for batch in performance.batches { store.apply(batch, to: &document) }
        await store.waitUntilFailing(ENOSPC)
        let found = try #require(try stored(in: disk.path).document)
        #expect(performance.documents.contains(found))
        try disk.empty()
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(isSame(try stored(in: disk.path).document, document))
    }

    @Test func `of a long backlog as much is saved as fits, the oldest edits first`() async throws {
        let disk = try SmallDisk(size: 2 << 20)
        var (store, document) = try await open(disk)
        try disk.fill()
        let slot = Slot(.melody, 0)
        var patterns = [document.pattern]
        for edit in 1...5500 {
            // Each with a pattern of its own: the edit's number in binary.
            var notes = SlotNotes()
            for bit in 0..<13 where edit >> bit & 1 == 1 { notes[0, bit] = .normal }
            store.apply([.edit([slot: notes])], to: &document)
            patterns.append(document.pattern)
        }
        await store.waitUntilFailing(ENOSPC)
        try makeRoom(300 << 10, on: disk)
        _ = await store.close()
        let replay = try stored(in: disk.path)
        #expect(replay.damages.isEmpty)
        let found = try #require(replay.document)
        let saved = try #require(patterns.firstIndex(of: found.pattern))
        print("\(saved) edits, \(replay.bytes) bytes in 300 KiB")
        #expect(saved == 5500 || saved > 0 && replay.bytes > 200 << 10)
        // The next process continues where this one had to stop.
        try disk.empty()
        let next = try OpenStore(disk.path)
        #expect(isSame(next.document, found))
        #expect(await next.close())
    }

    @Test func `with 64 KiB free an edit of one note is saved, whatever waited before`() async throws {
        let disk = try SmallDisk(size: 2 << 20)
        var (store, document) = try await open(disk)
        try disk.fill()
        for edit in 0..<100 {
            var notes = SlotNotes()
            notes[edit % 12, edit % 32] = .normal
            store.apply([.edit([Slot(.melody, 0): notes])], to: &document)
        }
        await store.waitUntilFailing(ENOSPC)
        try makeRoom(64 << 10, on: disk)
        await store.waitUntilSaving()
        #expect(isSame(try stored(in: disk.path).document, document))
        #expect(await store.close())
    }

    @Test func `after restarts on a nearly full disk small edits are kept, even without room for a snapshot`()
        async throws
    {
        var generator = SeededGenerator(seed: 2)
        let disk = try SmallDisk(size: 1 << 20)
        var (first, document) = try await open(disk)
        for batch in EditSequence(from: document, batches: 300, using: &generator).batches {
            first.apply(batch, to: &document)
        }
        #expect(await first.close())
        #expect(SnapshotProgress(document, number: 1).size > 64 << 10)
        try disk.fill()
        try makeRoom(64 << 10, on: disk)
        for name in ["A", "B", "C"] {
            let store = try OpenStore(disk.path) { $0.limits.snapshot = 1 }
            #expect(store.opened.status == .saving)
            #expect(isSame(store.document, document))
            store.apply([.setName(name)], to: &document)
            #expect(await store.flush())
            #expect(isSame(try stored(in: disk.path).document, document))
            #expect(await store.close())
        }
    }

    @Test func `a session does not fill a small disk, however long it is`() async throws {
        let disk = try SmallDisk(size: 1 << 20)
        let store = try OpenStore(disk.path)
        var generator = SeededGenerator(seed: 7)
        var document = store.document
        var size = 0
        while size < 3 << 20 {
            let change = DocumentChange.random(for: document, using: &generator)
            size += [change].storedBytes.count
            store.apply([change], to: &document)
            let isFlushed = await store.flush()
            try #require(isFlushed)
        }
        #expect(await store.close())
        let replay = try stored(in: disk.path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
    }

    // MARK: Read-only

    @Test func `a session on a disk that is read-only from the start is read, changes in its log included`()
        async throws
    {
        let disk = try SmallDisk(size: 1 << 20)
        let elsewhere = try TemporaryDirectory()
        var (store, document) = try await open(disk)
        // The log as a killed process leaves it.
        for name in ["session.db", "session.db-wal"] {
            #expect(ChildProgram.succeeds(["cp", "\(disk.path)/\(name)", elsewhere.file(name)]))
        }
        #expect(await store.close())
        for name in ["session.db", "session.db-wal"] {
            #expect(ChildProgram.succeeds(["cp", elsewhere.file(name), "\(disk.path)/\(name)"]))
        }
        try disk.makeReadOnly()
        let runtime = try TemporaryDirectory()
        let next = try OpenStore(disk.path) { $0.runtimeDirectory = runtime.path }
        #expect(isSame(next.document, document))
        #expect(next.opened.status == .failing(.file(FileError("write", "\(disk.path)/session.db", code: EROFS))))
        #expect(try files(in: runtime.path) == [])
        next.apply([.setName("A")], to: &document)
        #expect(await !next.flush())
        try disk.makeWritable()
        await next.waitUntilSaving()
        #expect(isSame(try stored(in: disk.path).document, document))
        #expect(try files(in: disk.path, "session-aside-") == [])
        #expect(await next.close())
        store = next
    }

    @Test func `an empty disk that is read-only is reported, and written once it is writable`() async throws {
        let disk = try SmallDisk(size: 1 << 20)
        try disk.makeReadOnly()
        let store = try OpenStore(disk.path)
        #expect(store.opened.status == .failing(.file(FileError("create", "\(disk.path)/session-new.db", code: EROFS))))
        var document = store.document
        store.apply([.setName("A")], to: &document)
        try disk.makeWritable()
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(isSame(try stored(in: disk.path).document, document))
    }

    @Test func `with a read-only disk mounted over its directory it keeps running, and writes once that is gone`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let store = try OpenStore(directory.path)
        var document = store.document
        var cover: SmallDisk? = try SmallDisk(coveringReadOnly: directory.path)
        #expect(cover != nil)
        store.apply([.setName("A")], to: &document)
        await store.waitUntilFailing(EROFS)
        cover = nil
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(isSame(try stored(in: directory.path).document, document))
        #expect(try files(in: directory.path, "session-aside-") == [])
    }
}
