import Glibc
import Music
import SystemSupport

@testable import Journal

/// A directory in memory that can fail on request and lose power.
///
/// Stricter than real file systems: only flushed file content is sure to survive a power cut, and name changes only
/// once the directory was flushed. Any part of the rest may survive.
final class SimulatedDirectory: SessionDirectory {
    final class Content {
        var flushed: [UInt8] = []
        var pending: [UInt8] = []
    }

    // Sendable: every test uses it on one thread.
    private struct File: SessionFile, @unchecked Sendable {
        let directory: SimulatedDirectory
        let content: Content

        func append(_ bytes: [UInt8]) throws(StorageFailure) {
            do throws(StorageFailure) {
                try directory.operate("write", taking: bytes.count)
                content.pending += bytes
            } catch {
                content.pending += bytes.prefix(min(bytes.count / 2, directory.room))
                throw error
            }
        }

        func truncate(to length: UInt64) throws(StorageFailure) {
            try directory.operate("truncate")
            content.flushed = Array(content.flushed.prefix(Int(length)))
            content.pending = Array(content.pending.prefix(Int(length) - content.flushed.count))
        }

        func flush() throws(StorageFailure) {
            try directory.operate("flush")
            content.flushed += content.pending
            content.pending = []
            guard directory.files.values.contains(where: { $0 === content }) else {
                throw .file(FileError("find", "/simulated", code: ENOENT))
            }
        }
    }

    // Sendable: as above.
    private struct NameTable: @unchecked Sendable {
        let directory: SimulatedDirectory

        func flush() throws(StorageFailure) {
            try directory.operate("flush")
            directory.flushedFiles = directory.files
            directory.pendingNames = []
        }
    }

    /// Capacity in bytes.
    var capacity = Int.max
    /// Whether files may have several names.
    var hasLinks = true
    /// How many operations have been tried.
    private(set) var operationCount = 0
    /// Whether the operation with a number, from 0, fails.
    var fails: (Int) -> Bool = { _ in false }

    private var files: [String: Content] = [:]
    private var flushedFiles: [String: Content] = [:]
    /// Name changes since the last flush; those of one operation survive together or not at all.
    private var pendingNames: [[String: Content?]] = []

    init(_ files: [String: [UInt8]] = [:]) {
        for (name, bytes) in files {
            self.files[name] = Content()
            self.files[name]?.flushed = bytes
        }
        flushedFiles = self.files
    }

    /// All files as programs see them.
    var contents: [String: [UInt8]] { files.mapValues { $0.flushed + $0.pending } }

    /// What the disk may hold after a power cut now.
    func afterPowerCut(using generator: inout some RandomNumberGenerator) -> SimulatedDirectory {
        var surviving = flushedFiles
        for change in pendingNames where Bool.random(using: &generator) {
            surviving.merge(change.compactMapValues(\.self)) { $1 }
            for (name, content) in change where content == nil { surviving[name] = nil }
        }
        return SimulatedDirectory(surviving.mapValues { $0.flushed + Self.survivors(of: $0.pending, &generator) })
    }

    private static func survivors(of pending: [UInt8], _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        let whole = pending.prefix(Int.random(in: 0...pending.count, using: &generator))
        let zeros = Bool.random(using: &generator) ? pending.count - whole.count : 0
        return whole + [UInt8](repeating: 0, count: zeros)
    }

    /// A file with several names takes up space once.
    private var room: Int {
        let contents = Dictionary(files.values.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values
        return capacity - contents.reduce(0) { $0 + $1.flushed.count + $1.pending.count }
    }

    private func operate(_ action: String, taking size: Int = 0) throws(StorageFailure) {
        defer { operationCount += 1 }
        guard !fails(operationCount), size <= room else { throw .file(FileError(action, "/simulated", code: ENOSPC)) }
    }

    private func change(_ names: [String: Content?]) {
        for (name, content) in names { files[name] = content }
        pendingNames.append(names)
    }

    // MARK: SessionDirectory

    func claim() throws(StorageFailure) {}

    func names() throws(StorageFailure) -> [String] { Array(files.keys) }

    func content(of name: String) throws(StorageFailure) -> [UInt8]? { contents[name] }

    func create(_ name: String) throws(StorageFailure) -> any SessionFile {
        try operate("create")
        let content = Content()
        change([name: content])
        return File(directory: self, content: content)
    }

    func open(_ name: String, length: UInt64) throws(StorageFailure) -> (any SessionFile)? {
        try operate("open")
        guard let content = files[name] else { throw .file(FileError("open", name, code: ENOENT)) }
        let isWhole = content.flushed.count + content.pending.count == length
        return isWhole ? File(directory: self, content: content) : nil
    }

    func rename(_ name: String, to newName: String) throws(StorageFailure) {
        try operate("rename")
        change([name: nil, newName: files[name]])
    }

    func link(_ name: String, to newName: String) throws(StorageFailure) {
        try operate("link")
        guard hasLinks else { throw .file(FileError("link", name, code: EPERM)) }
        guard files[newName] == nil else { throw .file(FileError("link", name, code: EEXIST)) }
        change([newName: files[name]])
    }

    func remove(_ name: String) throws(StorageFailure) {
        try operate("remove")
        change([name: nil])
    }

    var flushNames: DiskStep {
        { [table = NameTable(directory: self)] () throws(StorageFailure) in try table.flush() }
    }

    var freeSpace: UInt64? { UInt64(room) }
}

extension SessionWriter {
    /// Writes changes, flushes them, and then does all background work.
    mutating func commit(_ batches: [[DocumentChange]]) throws(StorageFailure) {
        try write(batches)
        if let work = beginFlush() { try endFlush(work.run()) }
        while let work = beginWork() { try endWork(work.run()) }
    }
}
