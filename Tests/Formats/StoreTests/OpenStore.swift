import Foundation
import Music
import SQLite
import Synchronization
import SystemSupport
import TestSupport

@testable import Store

/// A store on a real file system, and its reports.
struct OpenStore {
    let opened: SessionStore.Opened
    let statuses: AsyncStream<StorageStatus>
    let lateSessions: AsyncStream<Document>
    let setAside: AsyncStream<String>

    /// Retries soon, so that tests do not wait.
    static let timing = StorageTiming(retries: .milliseconds(5)...(.milliseconds(20)))

    init(
        _ path: String, timing: StorageTiming = timing, beginningWith first: Document = Document(),
        _ change: (inout SessionStore.StoreFolder) -> Void = { _ in }
    ) throws {
        let (statuses, status) = AsyncStream.makeStream(of: StorageStatus.self)
        let (lateSessions, late) = AsyncStream.makeStream(of: Document.self)
        let (setAside, aside) = AsyncStream.makeStream(of: String.self)
        (self.statuses, self.lateSessions, self.setAside) = (statuses, lateSessions, setAside)
        var place = SessionStore.StoreFolder(path)
        change(&place)
        let reports = StorageReports(
            onStatus: { status.yield($0) }, onLateSession: { document, _ in late.yield(document) },
            onSetAside: { aside.yield($0) })
        opened = try SessionStore.open(place, beginningWith: first, timing: timing, reports: reports)
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

    func flush() async -> Bool { await store.flush(within: .seconds(20)) }
    func close() async -> Bool { await store.close(within: .seconds(20)) }
}

/// A session's database as another process would find it: a copy of its files is read.
func stored(in path: String, _ name: String = SessionFolder.database) throws -> Replay {
    let copy = try TemporaryDirectory()
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: "\(path)/\(name)\(suffix)") {
        // By another program: closing a descriptor in this process would drop the store's locks.
        guard ChildProgram.succeeds(["cp", "\(path)/\(name)\(suffix)", copy.file("session.db\(suffix)")]) else {
            throw POSIXError(.EIO)
        }
    }
    return try SessionReader.read(copy.file("session.db"), fileSystem: nil).replay
}

/// The names of a directory's files that begin so.
func files(in path: String, _ prefix: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix(prefix) }.sorted()
}

/// Whether documents are equal, for expectations that would otherwise print them.
func isSame(_ document: Document?, _ other: Document) -> Bool { document == other }
