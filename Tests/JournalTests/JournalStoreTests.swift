import Foundation
import Music
import Synchronization
import SystemSupport
import TestNeeds
import TestSupport
import Testing

@testable import Journal

/// A store on a real file system, and its reports.
private struct OpenStore {
    let opened: SessionStore.Opened
    let statuses: AsyncStream<StorageStatus>

    init(_ path: String) throws {
        let (statuses, continuation) = AsyncStream.makeStream(of: StorageStatus.self)
        self.statuses = statuses
        opened = try SessionStore.open(path, timing: StorageTiming(retries: .milliseconds(5)...(.milliseconds(20)))) {
            continuation.yield($0)
        }
    }

    var store: SessionStore { opened.store }
    var document: Document { opened.document }

    /// Applies changes to a document and appends them.
    func apply(_ batch: [DocumentChange], to document: inout Document) {
        for change in batch { document.apply(change) }
        store.append(batch, leadingTo: document)
    }

    /// Waits for a status.
    func waitUntil(_ matches: (StorageStatus) -> Bool) async {
        for await status in statuses where matches(status) { return }
    }

    func waitUntilSaving() async { await waitUntil { $0 == .saving } }

    func waitUntilFailing(_ code: Int32) async {
        await waitUntil { status in
            if case .failing(.file(let error)) = status { error.code == code } else { false }
        }
    }

    func close() async -> Bool { await store.close(within: .seconds(20)) }
}

@Suite(.timeLimit(.minutes(1))) struct JournalStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a session is restored as it was left, including history`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var document = Document()
        for _ in 0..<3 {
            let store = try OpenStore(directory.file("state"))
            #expect(store.document == document)
            #expect(store.opened.report.damages.isEmpty)
            let performance = Performance(from: document, batches: 100, using: &generator)
            for batch in performance.batches { store.apply(batch, to: &document) }
            #expect(await store.close())
        }
        #expect(document.history.undoCount > 0)
    }

    @Test func `flushed changes are on disk while the store is open`() async throws {
        let store = try OpenStore(directory.path)
        var document = store.document
        store.apply([.setName("A"), .set(.ghosts, to: false)], to: &document)
        #expect(await store.store.flush(within: .seconds(20)))
        #expect(Recovery(StateDirectory(directory.path)).document == document)
        #expect(await store.close())
    }

    @Test func `changes that took too long are reported, but then not for a while`() async throws {
        let (delays, continuation) = AsyncStream.makeStream(of: Duration.self)
        let timing = StorageTiming(limit: .zero, reportPause: .seconds(3600))
        let opened = try SessionStore.open(directory.path, timing: timing) { _ in
        } onDelay: {
            continuation.yield($0)
        }
        var document = opened.document
        for name in ["A", "B", "C"] {
            document.apply(.setName(name))
            opened.store.append([.setName(name)], leadingTo: document)
            #expect(await opened.store.flush(within: .seconds(20)))
        }
        #expect(await opened.store.close(within: .seconds(20)))
        continuation.finish()
        let told = await delays.reduce(into: []) { $0.append($1) }
        #expect(told.count == 1)
        #expect(told.allSatisfy { $0 > .zero })
    }

    @Test func `if too many changes wait, their result is kept`() async throws {
        let store = try OpenStore(directory.path)
        var document = store.document
        for tempo in 0..<5000 { store.apply([.set(.tempo, to: .number(Double(20 + tempo % 280)))], to: &document) }
        #expect(await store.close())
        #expect(Recovery(StateDirectory(directory.path)).document == document)
    }

    @Test func `a second daemon on the same directory is refused, and the error names the first`() async throws {
        let store = try OpenStore(directory.path)
        let refusal = StorageFailure.inUse(path: directory.path, processID: getpid())
        #expect(throws: refusal) { try OpenStore(directory.path) }
        #expect(refusal.description == "\(directory.path) is in use by another pixelboopd (process \(getpid()))")
        #expect(await store.close())
        let next = try OpenStore(directory.path)
        #expect(await next.close())
    }

    @Test func `files are accessible to their owner only`() async throws {
        let path = directory.file("deep/er")
        let store = try OpenStore(path)
        #expect(await store.close())
        for (name, mode) in [(path, 0o700), ("\(path)/session-1.snapshot", 0o600), ("\(path)/lock", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: name)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `a directory that disappears is recreated with the whole session`() async throws {
        let path = directory.file("state")
        let store = try OpenStore(path)
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.store.flush(within: .seconds(20)))
        try FileManager.default.removeItem(atPath: path)
        store.apply([.set(.tempo, to: 99)], to: &document)
        await store.waitUntilFailing(ENOENT)
        await store.waitUntilSaving()
        #expect(Recovery(StateDirectory(path)).document == document)
        #expect(throws: StorageFailure.inUse(path: path, processID: getpid())) { try OpenStore(path) }
        #expect(await store.close())
    }

    @Test func `with a file in place of the directory it keeps running, and writes once that is gone`() async throws {
        let path = directory.file("state")
        try directory.write("", to: "state")
        let store = try OpenStore(path)
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(store.opened.status != .saving)
        #expect(await !store.store.flush(within: .seconds(20)))
        try FileManager.default.removeItem(atPath: path)
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(Recovery(StateDirectory(path)).document == document)
    }
}

@Suite(.needs(.smallDisk), .timeLimit(.minutes(1)))
struct JournalFailingDiskTests {
    private let disk: SmallDisk

    init() throws { disk = try SmallDisk() }

    @Test func `on a full disk it keeps running, reports it, and writes everything once there is room`() async throws {
        let store = try OpenStore(disk.path)
        #expect(store.opened.status == .saving)
        var generator = SeededGenerator(seed: 1)
        var document = store.document
        store.apply([.setName("before")], to: &document)
        #expect(await store.store.flush(within: .seconds(20)))
        try disk.fill()
        let performance = Performance(from: document, batches: 100, using: &generator)
        for batch in performance.batches { store.apply(batch, to: &document) }
        await store.waitUntilFailing(ENOSPC)
        #expect(performance.documents.contains(Recovery(StateDirectory(disk.path)).document))
        try disk.empty()
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(Recovery(StateDirectory(disk.path)).document == document)
    }

    @Test func `of a long backlog as much is saved as fits, the oldest edits first`() async throws {
        let small = try SmallDisk(size: 2 << 20)
        let store = try OpenStore(small.path)
        var document = store.document
        store.apply([.setName("before")], to: &document)
        #expect(await store.store.flush(within: .seconds(20)))
        try small.fill()
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
        let ballast = try small.directory.read("ballast").count
        let journal = try small.directory.read("session-1.journal").count
        #expect(truncate(small.directory.file("ballast"), ballast - (300 << 10)) == 0)
        _ = await store.close()
        let recovery = Recovery(StateDirectory(small.path))
        #expect(recovery.report.damages.isEmpty)
        let saved = try #require(patterns.firstIndex(of: recovery.document.pattern))
        let growth = try small.directory.read("session-1.journal").count - journal
        #expect(saved == 5500 || saved > 0 && growth > 290 << 10, "\(saved) edits in \(growth) bytes")
        // The next process continues where this one had to stop.
        try small.empty()
        let next = try OpenStore(small.path)
        #expect(next.document == recovery.document)
        #expect(await next.close())
    }

    @Test func `with 64 KiB free an edit of one note is saved, whatever waited before`() async throws {
        let small = try SmallDisk(size: 2 << 20)
        let store = try OpenStore(small.path)
        var document = store.document
        store.apply([.setName("before")], to: &document)
        #expect(await store.store.flush(within: .seconds(20)))
        try small.fill()
        // The first of them still fit in the journal's last page.
        for edit in 0..<100 {
            var notes = SlotNotes()
            notes[edit % 12, edit % 32] = .normal
            store.apply([.edit([Slot(.melody, 0): notes])], to: &document)
        }
        await store.waitUntilFailing(ENOSPC)
        let ballast = try small.directory.read("ballast").count
        #expect(truncate(small.directory.file("ballast"), ballast - (64 << 10)) == 0)
        await store.waitUntilSaving()
        #expect(Recovery(StateDirectory(small.path)).document == document)
        #expect(await store.close())
    }

    @Test func `after a restart on a nearly full disk small edits are kept, even without room for a snapshot`()
        async throws
    {
        var generator = SeededGenerator(seed: 2)
        let disk = try SmallDisk(size: 256 << 10)
        let first = try OpenStore(disk.path)
        var document = first.document
        for batch in Performance(from: document, batches: 300, using: &generator).batches {
            first.apply(batch, to: &document)
        }
        #expect(await first.close())
        var content = SessionContent()
        content.replaceDocument(document)
        #expect(SnapshotFile(generation: 2, content: content).bytes.count > 20 << 10)
        try disk.fill()
        let ballast = try disk.directory.read("ballast").count
        #expect(truncate(disk.directory.file("ballast"), ballast - (20 << 10)) == 0)
        for name in ["A", "B", "C"] {
            let store = try OpenStore(disk.path)
            #expect(store.opened.status == .saving)
            #expect(store.document == document)
            store.apply([.setName(name)], to: &document)
            #expect(await store.store.flush(within: .seconds(20)))
            #expect(Recovery(StateDirectory(disk.path)).document == document)
            #expect(await store.close())
        }
    }

    @Test func `the journal does not fill a small disk, however long the session`() async throws {
        // Edits come so fast that they fill half of this while a snapshot waits for the CPU.
        let small = try SmallDisk(size: 1 << 20)
        let store = try OpenStore(small.path)
        var generator = SeededGenerator(seed: 7)
        var document = store.document
        var size = 0
        while size < 3 << 20 {
            let change = DocumentChange.random(for: document, using: &generator)
            size += JournalRecord.bytes(of: [change]).count
            store.apply([change], to: &document)
            let isFlushed = await store.store.flush(within: .seconds(20))
            try #require(isFlushed)
        }
        #expect(await store.close())
        let recovery = Recovery(StateDirectory(small.path))
        let isWhole = recovery.document == document
        #expect(isWhole)
        #expect(recovery.report.damages.isEmpty)
    }

    @Test func `a disk that is read-only from the start is reported as such`() async throws {
        try disk.makeReadOnly()
        let store = try OpenStore(disk.path)
        #expect(store.opened.status == .failing(.file(FileError("create", "\(disk.path)/lock", code: EROFS))))
        #expect(await !store.store.close(within: .seconds(20)))
    }

    @Test func `on a disk that becomes read-only it keeps running, and writes once it is writable`() async throws {
        let store = try OpenStore(disk.path)
        var document = store.document
        // Files open for writing keep a disk from becoming read-only.
        #expect(await store.close())
        try disk.makeReadOnly()
        let second = try OpenStore(disk.path)
        #expect(throws: StorageFailure.inUse(path: disk.path, processID: getpid())) { try OpenStore(disk.path) }
        second.apply([.setName("A")], to: &document)
        #expect(
            second.opened.status == .failing(.file(FileError("create", "\(disk.path)/session-2.journal", code: EROFS))))
        #expect(await !second.store.flush(within: .seconds(20)))
        try disk.makeWritable()
        await second.waitUntilSaving()
        #expect(await second.close())
        #expect(Recovery(StateDirectory(disk.path)).document == document)
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
        #expect(Recovery(StateDirectory(directory.path)).document == document)
    }
}
