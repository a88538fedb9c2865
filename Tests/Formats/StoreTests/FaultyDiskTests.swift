import Foundation
import Glibc
import Music
import SystemSupport
import TestSupport
import Testing

@testable import Store

/// Disks that fail, wait and hang.
@Suite(.timeLimit(.minutes(1))) struct FaultyDiskTests {
    private let directory: TemporaryDirectory
    private let disk = FaultyDisk()
    private var path: String { directory.path }

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        timing: StorageTiming = OpenStore.timing, _ change: (inout SessionStore.StoreFolder) -> Void = { _ in }
    ) throws -> OpenStore {
        try OpenStore(path, timing: timing) { place in
            place.fileSystem = disk.name
            change(&place)
        }
    }

    // MARK: Failing

    @Test(arguments: [FaultyDisk.Operation.write, .sync], [EIO, EROFS, EDQUOT])
    func `after a passing error everything is there, in a new snapshot`(
        operation: FaultyDisk.Operation, code: Int32
    ) async throws {
        let store = try open()
        var document = store.document
        store.apply([.setName("A")], to: &document)
        #expect(await store.flush())
        disk.fail(operation, with: code)
        store.apply([.set(.tempo, to: 99)], to: &document)
        await store.waitUntilFailing(code)
        store.apply([.set(.ghosts, to: false)], to: &document)
        disk.fail(operation, with: nil)
        await store.waitUntilSaving()
        let replay = try stored(in: path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
        // A quota is no damage.
        if operation == .sync || code != EDQUOT { #expect(try #require(replay.snapshot) > 0) }
        #expect(await store.close())
    }

    @Test func `a change whose flush failed after it was written is not stored twice`() async throws {
        let store = try open()
        var document = store.document
        // Undoing twice would differ from undoing once.
        for name in [Velocity.normal, .accent] {
            var notes = SlotNotes()
            notes[0, 0] = name
            store.apply([.edit([Slot(.bass, 0): notes])], to: &document)
        }
        #expect(await store.flush())
        disk.fail(.sync, with: EIO)
        store.apply([.undo], to: &document)
        await store.waitUntilFailing(EIO)
        disk.fail(.sync, with: nil)
        await store.waitUntilSaving()
        store.apply([.setName("A")], to: &document)
        #expect(await store.close())
        let replay = try stored(in: path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
        #expect(document.history.redoCount == 1)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `errors at any time lose nothing`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try open { ($0.limits.snapshot, $0.limits.log) = (2000, 40_000) }
        var document = store.document
        for _ in 0..<25 {
            let operation = [FaultyDisk.Operation.open, .read, .write, .sync].randomElement(using: &generator)!
            disk.fail(operation, with: [EIO, ENOSPC, EDQUOT].randomElement(using: &generator)!)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                store.apply([.random(for: document, using: &generator)], to: &document)
                if Bool.random(using: &generator) { _ = await store.flush() }
            }
            disk.fail(operation, with: nil)
            if Bool.random(using: &generator) { #expect(await store.flush()) }
        }
        #expect(await store.close())
        let replay = try stored(in: path)
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
    }

    @Test func `a session that cannot be read at first is read when the disk recovers`() async throws {
        let first = try open()
        var document = first.document
        first.apply([.setName("A")], to: &document)
        #expect(await first.close())
        disk.fail(.read, with: EIO)
        async let repaired: Void = { [disk] in
            let reads = disk.count(.read)
            try? await waitUntil { disk.count(.read) > reads }
            disk.fail(.read, with: nil)
        }()
        let store = try open(timing: StorageTiming(retries: .milliseconds(300)...(.seconds(4))))
        await repaired
        #expect(store.opened.status == .saving)
        #expect(isSame(store.document, document))
        #expect(store.opened.report.damages.isEmpty)
        #expect(await store.close())
    }

    @Test func `a session that can never be read is set aside`() async throws {
        let first = try open()
        #expect(await first.close())
        disk.fail(.read, with: EIO)
        let store = try open()
        #expect(store.opened.report.source == .lost)
        #expect(
            store.opened.report.damages.map(\.description) == ["cannot read \(path)/session.db: Input/output error"])
        disk.fail(.read, with: nil)
        #expect(await store.flush())
        #expect(try files(in: path, "session-aside-").count >= 1)
        #expect(await store.close())
    }

    // MARK: Slow

    @Test func `a snapshot on a slow disk delays no change by more than a piece`() async throws {
        var generator = SeededGenerator(seed: 1)
        let long = try #require(
            EditSequence(batches: 3000, using: &generator).documents.last {
                SnapshotProgress($0, number: 0).pieces.count >= 2
            })
        let store = try OpenStore(path, beginningWith: long) { place in
            place.fileSystem = disk.name
            // No checkpoint meanwhile: it has flushes of its own.
            (place.limits.snapshot, place.limits.log) = (200, .max)
        }
        disk.slow(.sync, milliseconds: 10)
        var document = store.document
        var most = 0
        for edit in 0..<200 {
            let before = disk.count(.sync)
            var notes = SlotNotes()
            notes[edit % 12, edit % 32] = .normal
            store.apply([.edit([Slot(.melody, 0): notes])], to: &document)
            #expect(await store.flush())
            most = max(most, disk.count(.sync) - before)
        }
        // That of the piece under way, its own, and perhaps the next piece's when this looks.
        #expect(most <= 3, "\(most) flushes")
        let replay = try stored(in: path)
        #expect(try #require(replay.snapshot) > 0)
        #expect(replay.damages.isEmpty)
        #expect(await store.close())
    }

    @Test func `changes made during a slow flush follow it, and waiting includes them`() async throws {
        let store = try open()
        var document = store.document
        disk.hold(.sync)
        let before = disk.count(.sync)
        store.apply([.setName("A")], to: &document)
        try await waitUntil { disk.count(.sync) > before }
        store.apply([.setName("B")], to: &document)
        #expect(await !store.store.flush(within: .milliseconds(1)))
        disk.release(.sync)
        #expect(await store.flush())
        #expect(isSame(try stored(in: path).document, document))
        #expect(await store.close())
    }

    // MARK: Hanging

    @Test func `a disk that hangs is reported, and the end does not wait for it`() async throws {
        let store = try open(timing: StorageTiming(patience: .milliseconds(50)))
        var document = store.document
        disk.hold(.sync)
        store.apply([.setName("A")], to: &document)
        await store.waitUntil { $0 == .failing(.noAnswer(path: path)) }
        #expect(await !store.store.close(within: .milliseconds(10)))
        disk.release(.sync)
        await store.waitUntilSaving()
    }

    /// Stores a session, and opens it on a disk that does not answer.
    private func openHanging() async throws -> (store: OpenStore, stored: Document) {
        let first = try open()
        var document = first.document
        first.apply([.setName("stored")], to: &document)
        #expect(await first.close())
        disk.hold(.read)
        var new = Document()
        new.apply(.setName("new"))
        let store = try OpenStore(path, timing: StorageTiming(patience: .milliseconds(50)), beginningWith: new) {
            $0.fileSystem = disk.name
        }
        #expect(isSame(store.document, new))
        #expect(store.opened.report.source == .unknown)
        #expect(store.opened.status == .failing(.noAnswer(path: path)))
        return (store, document)
    }

    private func first<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Element? {
        for await element in stream { return element }
        return nil
    }

    @Test func `on a disk that hangs at the start a new session begins, and the stored one is loaded when it answers`()
        async throws
    {
        var (store, document) = try await openHanging()
        disk.release(.read)
        let late = await first(store.lateSessions)
        #expect(isSame(late, document))
        store.store.decide(keeping: nil)
        await store.waitUntilSaving()
        store.apply([.set(.tempo, to: 99)], to: &document)
        #expect(await store.close())
        #expect(isSame(try stored(in: path).document, document))
        #expect(try files(in: path, "session-aside-") == [])
    }

    @Test func `if the new session was edited, the stored one is set aside`() async throws {
        let (store, old) = try await openHanging()
        var document = store.document
        store.apply([.set(.tempo, to: 99)], to: &document)
        disk.release(.read)
        #expect(isSame(await first(store.lateSessions), old))
        store.apply([.set(.ghosts, to: false)], to: &document)
        store.store.decide(keeping: document)
        store.apply([.setName("later")], to: &document)
        let aside = try #require(await first(store.setAside))
        #expect(await store.close())
        #expect(isSame(try stored(in: path).document, document))
        #expect(isSame(try stored(in: path, aside).document, old))
    }

    @Test(arguments: [false, true])
    func `if the end comes before a decision, only an edited session takes the stored one's place`(
        isEdited: Bool
    ) async throws {
        let (store, old) = try await openHanging()
        var document = store.document
        if isEdited { store.apply([.set(.tempo, to: 99)], to: &document) }
        disk.release(.read)
        #expect(isSame(await first(store.lateSessions), old))
        #expect(await store.close())
        #expect(isSame(try stored(in: path).document, isEdited ? document : old))
        #expect(try files(in: path, "session-aside-").isEmpty == !isEdited)
    }

    @Test func `on a disk without a session that hangs at the start the new session is stored when it answers`()
        async throws
    {
        disk.hold(.write)
        let store = try open(timing: StorageTiming(patience: .milliseconds(50)))
        var document = store.document
        store.apply([.setName("A")], to: &document)
        disk.release(.write)
        await store.waitUntilSaving()
        #expect(await store.close())
        #expect(isSame(try stored(in: path).document, document))
    }
}
