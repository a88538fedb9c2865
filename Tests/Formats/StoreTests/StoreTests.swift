import Foundation
import Music
import SystemSupport
import TestSupport
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(1))) struct StoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a session is restored as it was left, including history`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var document = Document()
        for round in 0..<3 {
            let store = try OpenStore(directory.file("state")) { $0.limits.snapshot = 3000 }
            #expect(isSame(store.document, document))
            #expect(store.opened.report.damages.isEmpty)
            #expect(store.opened.report.isNew == (round == 0))
            let performance = EditSequence(from: document, batches: 100, using: &generator)
            for batch in performance.batches { store.apply(batch, to: &document) }
            #expect(await store.close())
        }
        #expect(document.history.undoCount > 0)
    }

    @Test func `flushed changes are on disk while the store is open`() async throws {
        let store = try OpenStore(directory.path)
        var document = store.document
        store.apply([.setName("A"), .set(.ghosts, to: false)], to: &document)
        #expect(await store.flush())
        #expect(try isSame(stored(in: directory.path).document, document))
        #expect(await store.close())
    }

    @Test func `a new session begins with what it is given`() async throws {
        var first = Document()
        first.apply(.setName("first"))
        let store = try OpenStore(directory.path, beginningWith: first)
        #expect(isSame(store.document, first))
        #expect(await store.close())
        let next = try OpenStore(directory.path)
        #expect(isSame(next.document, first))
        #expect(await next.close())
    }

    @Test func `an open session has no shared memory, and a closed one an empty log`() async throws {
        let store = try OpenStore(directory.path)
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.flush())
        #expect(try files(in: directory.path, "session") == ["session.db", "session.db-wal"])
        #expect(try !directory.read("session.db-wal").isEmpty)
        #expect(await store.close())
        #expect(try directory.read("session.db-wal").isEmpty)
    }

    @Test func `the log is copied into the database some time after the last change`() async throws {
        let store = try OpenStore(directory.path, timing: StorageTiming(rest: .milliseconds(1)))
        var document = store.document
        let before = try directory.read("session.db")
        store.apply([.setName("A")], to: &document)
        try await waitUntil { try directory.read("session.db") != before }
        #expect(await store.close())
    }

    @Test func `the log stays short however long the session`() async throws {
        let store = try OpenStore(directory.path) { ($0.limits.log, $0.limits.snapshot) = (100_000, 30_000) }
        var generator = SeededGenerator(seed: 5)
        var document = store.document
        for _ in 0..<600 {
            store.apply([.random(for: document, using: &generator)], to: &document)
            #expect(await store.flush())
        }
        #expect(try directory.read("session.db-wal").count < 400_000)
        #expect(try directory.read("session.db").count < 800_000)
        #expect(await store.close())
        let replay = try stored(in: directory.path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
        #expect(replay.count < 500)
    }

    @Test func `changes that took too long are reported, but then not for a while`() async throws {
        let (delays, continuation) = AsyncStream.makeStream(of: Duration.self)
        let timing = StorageTiming(limit: .zero, reportPause: .seconds(3600))
        let reports = StorageReports(onStatus: { _ in }, onDelay: { continuation.yield($0) })
        let opened = try SessionStore.open(.init(directory.path), timing: timing, reports: reports)
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
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.flush())
        for (name, mode) in [
            (path, 0o700), ("\(path)/session.db", 0o600), ("\(path)/session.db-wal", 0o600), ("\(path)/lock", 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: name)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(await store.close())
    }

    @Test func `a directory behind a symbolic link is used`() async throws {
        try FileManager.default.createDirectory(atPath: directory.file("real"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"), withDestinationPath: directory.file("real"))
        let store = try OpenStore(directory.file("link"))
        #expect(store.opened.status == .saving)
        #expect(await store.close())
        #expect(try files(in: directory.file("real")).contains("session.db"))
    }

    @Test func `a directory that disappears is recreated with the whole session`() async throws {
        let path = directory.file("state")
        let store = try OpenStore(path)
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.flush())
        try FileManager.default.removeItem(atPath: path)
        store.apply([.set(.tempo, to: 99)], to: &document)
        await store.waitUntilFailing(ENOENT)
        await store.waitUntilSaving()
        #expect(try isSame(stored(in: path).document, document))
        #expect(throws: StorageFailure.inUse(path: path, processID: getpid())) { try OpenStore(path) }
        #expect(await store.close())
    }

    @Test func `a lock that is released is free, though a child process that is being started has it open`() throws {
        var lock: DirectoryLock? = try DirectoryLock(directory.path)
        let file = FileIdentity("\(directory.path)/lock")
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let descriptor = try #require(descriptors.first { FileIdentity($0) == file })
        let copy = dup(descriptor)
        defer { close(copy) }
        #expect(lock?.isEffective == true)
        lock = nil
        #expect(throws: Never.self) { _ = try DirectoryLock(directory.path) }
    }

    @Test func `with a file in place of the directory it keeps running, and writes once that is gone`() async throws {
        let path = directory.file("state")
        try directory.write("", to: "state")
        let store = try OpenStore(path)
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(store.opened.status != .saving)
        #expect(await !store.flush())
        try FileManager.default.removeItem(atPath: path)
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(try isSame(stored(in: path).document, document))
    }

    @Test func `a session that appears in the place of this one is set aside`() async throws {
        let other = try OpenStore(directory.file("other"))
        #expect(await other.close())
        let store = try OpenStore(directory.file("state"))
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.flush())
        for name in ["session.db", "session.db-wal"] {
            #expect(rename(directory.file("other/\(name)"), directory.file("state/\(name)")) == 0)
        }
        store.apply([.set(.tempo, to: 99)], to: &document)
        await store.waitUntilFailing(ENOENT)
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(try isSame(stored(in: directory.file("state")).document, document))
        let aside = try files(in: directory.file("state"), "session-aside-")
        #expect(aside.count == 2)
        #expect(try isSame(stored(in: directory.file("state"), try #require(aside.first)).document, Document()))
    }

    @Test func `if too many changes wait, their result is kept`() async throws {
        let disk = FaultyDisk()
        let store = try OpenStore(directory.path) { $0.fileSystem = disk.name }
        disk.hold(.sync)
        var document = store.document
        for tempo in 0..<9000 { store.apply([.set(.tempo, to: .number(Double(20 + tempo % 280)))], to: &document) }
        disk.release(.sync)
        #expect(await store.flush())
        let replay = try stored(in: directory.path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
        // Later changes follow.
        store.apply([.setName("A")], to: &document)
        #expect(await store.close())
        #expect(try isSame(stored(in: directory.path).document, document))
    }
}
