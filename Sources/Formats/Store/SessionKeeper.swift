import Music
import SQLite
import SystemSupport

/// Keeps a directory's database up to date with a document. Every call may wait for the disk; ``StorageSchedule`` decides
/// which comes when.
///
/// Each change is a row. A snapshot is written in pieces between them, and then made valid by a transaction of its own.
/// After an error the database is opened again, and a new snapshot written: see ``open(isLastTry:)``.
struct SessionKeeper {
    /// Sizes that tests make smaller.
    struct Limits {
        /// The length of changes, in bytes, after which a snapshot is due.
        var snapshot = 1 << 20
        /// The length of the log, in bytes, at which a checkpoint is due.
        var log = 1 << 20
    }

    /// The session with all changes, stored or not.
    var document: Document
    /// What was found at the first successful look; nil before.
    var report: RecoveryReport?

    let folder: SessionFolder
    /// Where a read-only disk's session is copied to be read.
    let runtimeDirectory: String?
    private let fileSystem: String?
    let limits: Limits

    // What the files of opening and writing use.

    var database: SessionDatabase?
    var backlog = Backlog()
    /// The number of the last change, stored or not.
    var number: Int64 = 0
    /// A row of this session's database, nil before it has one.
    var mark: SessionMark?
    /// Whether the database must be replaced by a new one, because it is damaged.
    var mustReplace = false
    /// The snapshot under way.
    var progress: SnapshotProgress?
    /// Whether a snapshot must come before anything counts as saved.
    var needsSnapshot = false
    /// The length of the changes since the last snapshot, in bytes.
    var bytesSinceSnapshot = 0
    /// The length of those that the snapshot under way includes.
    var bytesInProgress = 0
    /// The length at which a snapshot is tried again that did not fit.
    var postponedTo = 0
    /// The number of the last snapshot.
    var snapshotNumber: Int64?
    /// Whether the snapshot that is needed replaces changes that were never stored.
    var isAfterGap = false
    /// The name of what was set aside last.
    var setAside: String?
    /// Whether the disk was full, and is not known to have room again.
    var isTight = false

    /// - Parameters:
    ///   - document: What a new session begins with.
    ///   - runtimeDirectory: A directory that is writable if the disk is not.
    ///   - fileSystem: SQLite's virtual file system, nil for the usual.
    init(
        _ folder: SessionFolder, beginningWith document: Document, runtimeDirectory: String? = nil,
        fileSystem: String? = nil, limits: Limits = Limits()
    ) {
        self.folder = folder
        self.document = document
        self.runtimeDirectory = runtimeDirectory
        self.fileSystem = fileSystem
        self.limits = limits
    }

    var usedFileSystem: String? { fileSystem ?? (folder.hasNoLocks ? "unix-none" : nil) }

    // MARK: Changes

    /// Adds changes to the session, to be stored.
    mutating func add(_ unsaved: UnsavedChanges) {
        if let replacement = unsaved.replacement { replace(replacement) }
        for batch in unsaved.batches where !batch.isEmpty {
            for change in batch { document.apply(change) }
            number += 1
            backlog.add(ChangeRow(number, batch))
        }
        if backlog.size > Backlog.limit { replace(document) }
    }

    /// Makes a document the session, of which the next snapshot says how it came about.
    private mutating func replace(_ document: Document) {
        self.document = document
        backlog.removeAll()
        // A number that no row has: the changes before it and after it do not belong together.
        number += 1
        (needsSnapshot, isAfterGap) = (true, true)
        progress = nil
    }

    // MARK: What is to do

    var isOpen: Bool { database != nil }
    /// Whether anything is not stored yet.
    var hasUnsaved: Bool { !backlog.isEmpty || needsSnapshot || mustReplace }

    var snapshotNeed: StorageSchedule.Need {
        guard database != nil, backlog.isEmpty else { return .none }
        if progress != nil { return bytesSinceSnapshot >= 2 * snapshotLimit ? .urgent : .due }
        guard bytesSinceSnapshot >= max(snapshotLimit, postponedTo), number != snapshotNumber else { return .none }
        return bytesSinceSnapshot >= 2 * snapshotLimit ? .urgent : .due
    }

    var logNeed: StorageSchedule.Need {
        guard let size = database?.logSize, size > 0 else { return .none }
        return size >= 2 * logLimit ? .urgent : size >= logLimit ? .due : .someday
    }

    /// On a small disk neither may take more than a part of the room.
    var snapshotLimit: Int { min(limits.snapshot, room / 4) }
    private var logLimit: Int { min(limits.log, room / 4) }

    private var room: Int { max(65_536, folder.freeSpace.map { Int(clamping: $0) } ?? .max) }

    // MARK: The end, and copies

    /// Empties the log, closes the database and unlocks the directory.
    mutating func close() {
        try? database?.checkpoint(truncating: true)
        database = nil
        folder.unlock()
    }

    /// Removes and returns the name of what was set aside.
    mutating func fetchSetAside() -> String? {
        defer { setAside = nil }
        return setAside
    }

    /// Work that makes a copy of the session as it is now, on any thread; nil if none may be made now.
    func copying() -> (@Sendable () throws(StorageFailure) -> Void)? {
        let copies = folder.copies
        guard copies.isDue else { return nil }
        return { [document, number] () throws(StorageFailure) in try copies.make(of: document, number: number) }
    }
}
