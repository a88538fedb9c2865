import Dispatch
import Music
import TestSupport
import Testing

@testable import Journal

/// A directory on disk whose journals, or snapshots, are flushed when the test allows it.
private final class HeldDirectory: SessionDirectory {
    /// What the test and the store's threads share.
    final class Hold: Sendable {
        let flushes = AsyncStream.makeStream(of: Void.self)
        let appends = AsyncStream.makeStream(of: Void.self)
        /// New names that files got.
        let renames = AsyncStream.makeStream(of: String.self)
        private let gate = DispatchSemaphore(value: 0)

        /// Lets one flush go on.
        func release() { gate.signal() }

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
            try file.append(bytes)
            if isJournal { hold.appends.continuation.yield() }
        }

        func truncate(to length: UInt64) throws(StorageFailure) { try file.truncate(to: length) }

        func flush() throws(StorageFailure) {
            if isHeld { hold.pass() }
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

@Suite(.timeLimit(.minutes(5))) struct SlowDiskTests {
    private let directory: TemporaryDirectory
    private let hold = HeldDirectory.Hold()

    init() throws { directory = try TemporaryDirectory() }

    @Test func `what comes while the disk is slow is written at once, and outlasts the process`() async throws {
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
        // What was written during the first flush is flushed by a second one.
        await flushes.next()
        hold.release()
        #expect(await opened.store.close(within: .seconds(20)))
    }

    @Test func `waiting for the disk includes what was handed over during a flush`() async throws {
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

    @Test func `while a snapshot is flushed changes go on reaching the disk`() async throws {
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
            let tempo = Tempo(clamping: tempo)
            document.apply(.set(.tempo, to: .number(tempo.bpm)))
            opened.store.append([.set(.tempo, to: .number(tempo.bpm))], leadingTo: document)
            #expect(await opened.store.flush(within: .seconds(20)))
            #expect(Recovery(StateDirectory(directory.path)).document == document)
        }
        for tempo in 60..<80 { await change(tempo) }
        await flushes.next()
        for tempo in 80..<120 { await change(tempo) }
        hold.release()
        #expect(await renames.next() == "session-2.snapshot")
        // The journal of the new generation holds what the old one got meanwhile.
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
