import Dispatch
import Glibc
import Music
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Journal

/// A directory on disk in which the test controls when journals, or snapshots, are flushed, and when journals fail.
private final class HeldDirectory: SessionDirectory {
    /// State that the test and the store's threads share.
    final class Hold: Sendable {
        let flushes = AsyncStream.makeStream(of: Void.self)
        let appends = AsyncStream.makeStream(of: Void.self)
        /// The new names of renamed files.
        let renames = AsyncStream.makeStream(of: String.self)
        private let gate = DispatchSemaphore(value: 0)
        private let errors = Mutex<[String: Int32]>([:])

        /// Lets one flush continue.
        func release() { gate.signal() }

        /// Makes an action on journals fail with an error from now on; nil for none.
        func fail(_ action: String, with code: Int32?) { errors.withLock { $0[action] = code } }

        fileprivate func attempt(_ action: String) throws(StorageFailure) {
            if let code = errors.withLock({ $0[action] }) { throw .file(FileError(action, "journal", code: code)) }
        }

        fileprivate func pass() {
            flushes.continuation.yield()
            gate.wait()
        }
    }

    private struct File: SessionFile {
        let file: any SessionFile
        let hold: Hold

        let isJournal: Bool
        let isHeld: Bool

        func append(_ bytes: [UInt8]) throws(StorageFailure) {
            if isJournal { try hold.attempt("write") }
            try file.append(bytes)
            if isJournal { hold.appends.continuation.yield() }
        }

        func truncate(to length: UInt64) throws(StorageFailure) { try file.truncate(to: length) }

        func flush() throws(StorageFailure) {
            if isHeld { hold.pass() }
            if isJournal { try hold.attempt("flush") }
            try file.flush()
        }
    }

    private let directory: StateDirectory
    private let hold: Hold
    private let heldKind: SessionFileName.Kind

    init(_ path: String, _ hold: Hold, holding kind: SessionFileName.Kind = .journal) {
        directory = StateDirectory(path)
        self.hold = hold
        heldKind = kind
    }

    func claim() throws(StorageFailure) { try directory.claim() }
    func names() throws(StorageFailure) -> [String] { try directory.names() }
    func content(of name: String) throws(StorageFailure) -> [UInt8]? { try directory.content(of: name) }
    func create(_ name: String) throws(StorageFailure) -> any SessionFile {
        held(try directory.create(name), name)
    }
    func open(_ name: String, length: UInt64) throws(StorageFailure) -> (any SessionFile)? {
        try directory.open(name, length: length).map { held($0, name) }
    }
    private func held(_ file: any SessionFile, _ name: String) -> File {
        let isJournal = SessionFileName.parse(name)?.kind == .journal
        return File(file: file, hold: hold, isJournal: isJournal, isHeld: isJournal == (heldKind == .journal))
    }
    func rename(_ name: String, to newName: String) throws(StorageFailure) {
        try directory.rename(name, to: newName)
        hold.renames.continuation.yield(newName)
    }
    func link(_ name: String, to newName: String) throws(StorageFailure) { try directory.link(name, to: newName) }
    func remove(_ name: String) throws(StorageFailure) { try directory.remove(name) }
    var flushNames: DiskStep { directory.flushNames }
    var freeSpace: UInt64? { directory.freeSpace }
}

@Suite(.timeLimit(.minutes(1))) struct SlowDiskTests {
    private let directory: TemporaryDirectory
    private let hold = HeldDirectory.Hold()

    init() throws { directory = try TemporaryDirectory() }

    @Test func `changes made while the disk is slow are written at once, and survive the process`() async throws {
        let opened = try SessionStore.open(
            HeldDirectory(directory.path, hold), timing: StorageTiming(), onStatus: { _ in })
        var (flushes, appends) = (
            hold.flushes.stream.makeAsyncIterator(), hold.appends.stream.makeAsyncIterator()
        )
        await appends.next()  // The journal's header.
        var document = opened.document
        for name in ["A", "B", "C"] {
            document.apply(.setName(name))
            opened.store.append([.setName(name)], leadingTo: document)
            await appends.next()
            if name == "A" { await flushes.next() }
            #expect(Recovery(StateDirectory(directory.path)).document == document)
        }
        hold.release()
        // A second flush covers what was written during the first.
        await flushes.next()
        hold.release()
        #expect(await opened.store.close(within: .seconds(20)))
    }

    @Test func `waiting for the disk includes changes appended during a flush`() async throws {
        let opened = try SessionStore.open(
            HeldDirectory(directory.path, hold), timing: StorageTiming(), onStatus: { _ in })
        var flushes = hold.flushes.stream.makeAsyncIterator()
        var document = opened.document
        document.apply(.setName("A"))
        opened.store.append([.setName("A")], leadingTo: document)
        await flushes.next()
        document.apply(.setName("B"))
        opened.store.append([.setName("B")], leadingTo: document)
        #expect(await !opened.store.flush(within: .milliseconds(1)))
        hold.release()
        await flushes.next()
        hold.release()
        #expect(await opened.store.close(within: .seconds(20)))
        #expect(Recovery(StateDirectory(directory.path)).document == document)
    }

    /// Opens a store, appends a change while the disk is full, and makes room.
    private func fillAndEmptyDisk() async throws -> (SessionStore, Document, AsyncStream<StorageStatus>) {
        let (statuses, continuation) = AsyncStream.makeStream(of: StorageStatus.self)
        // Only the flushes that the test waits for retry anything.
        let timing = StorageTiming(retries: .seconds(3600)...(.seconds(3600)))
        let opened = try SessionStore.open(HeldDirectory(directory.path, hold), timing: timing) {
            continuation.yield($0)
        }
        hold.fail("write", with: ENOSPC)
        var document = opened.document
        document.apply(.setName("A"))
        opened.store.append([.setName("A")], leadingTo: document)
        await expectNext(failing("write", ENOSPC), of: statuses)
        hold.fail("write", with: nil)
        return (opened.store, document, statuses)
    }

    private func expectNext(_ expected: StorageStatus, of statuses: AsyncStream<StorageStatus>) async {
        var statuses = statuses.makeAsyncIterator()
        #expect(await statuses.next() == expected)
    }

    private func failing(_ action: String, _ code: Int32) -> StorageStatus {
        .failing(.file(FileError(action, "journal", code: code)))
    }

    @Test func `after a full disk the first flush saves everything`() async throws {
        let (store, document, statuses) = try await fillAndEmptyDisk()
        hold.release()
        #expect(await store.flush(within: .seconds(20)))
        await expectNext(.saving, of: statuses)
        #expect(await store.close(within: .seconds(20)))
        #expect(Recovery(StateDirectory(directory.path)).document == document)
    }

    @Test func `a journal whose first flush after a full disk fails is never used again`() async throws {
        let (store, document, statuses) = try await fillAndEmptyDisk()
        hold.fail("flush", with: EIO)
        hold.release()
        #expect(await !store.flush(within: .seconds(20)))
        #expect(await store.flush(within: .seconds(20)))
        await expectNext(failing("flush", EIO), of: statuses)
        #expect(await store.close(within: .seconds(20)))
        let recovery = Recovery(StateDirectory(directory.path))
        #expect(recovery.document == document)
        #expect(recovery.report.snapshot == 2)
    }

    @Test func `changes keep reaching the disk while a snapshot is flushed`() async throws {
        hold.release()  // The first snapshot, before anything else.
        let opened = try SessionStore.open(
            HeldDirectory(directory.path, hold, holding: .snapshot), timing: StorageTiming(), journalLimit: 100,
            onStatus: { _ in })
        var (flushes, renames) = (
            hold.flushes.stream.makeAsyncIterator(), hold.renames.stream.makeAsyncIterator()
        )
        await flushes.next()
        #expect(await renames.next() == "session-1.snapshot")
        var document = opened.document
        func change(_ tempo: Int) async {
            let change = DocumentChange.set(.tempo, to: .number(Double(tempo)))
            document.apply(change)
            opened.store.append([change], leadingTo: document)
            #expect(await opened.store.flush(within: .seconds(20)))
            #expect(Recovery(StateDirectory(directory.path)).document == document)
        }
        for tempo in 60..<80 { await change(tempo) }
        await flushes.next()
        for tempo in 80..<120 { await change(tempo) }
        hold.release()
        #expect(await renames.next() == "session-2.snapshot")
        // The new generation's journal holds what the old one got meanwhile.
        await change(120)
        let recovery = Recovery(StateDirectory(directory.path))
        #expect(recovery.report.snapshot == 2)
        #expect(recovery.report.damages.isEmpty)
        #expect(recovery.report.batches > 40)
        for _ in 0..<8 { hold.release() }
        #expect(await opened.store.close(within: .seconds(20)))
        #expect(Recovery(StateDirectory(directory.path)).document == document)
    }
}
