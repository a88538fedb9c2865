import Glibc
import Music
import SystemSupport

/// Keeps a directory's files up to date with a document, so that ``Recovery`` can restore it after a crash between any
/// two file operations.
///
/// A generation is a snapshot and the journal of the changes since. The next generation begins with its journal. Then
/// its snapshot is written in the background and named, which makes the new generation the valid one. Until that is
/// certain, changes go to both journals, and both are flushed, so that either is enough. The previous generation is
/// kept in case the new snapshot turns out to be unreadable, unless the disk has no room for it. A file that had an
/// error is never written to again: after a failed write or flush its contents are unknown, so a new generation begins
/// instead. The exception is a full disk: the journal is truncated to its old length, and is used again when
/// there is room.
///
/// If there is no room for a snapshot, the current journal is continued, even one that was just recovered. A snapshot
/// leaves it a quarter of the free space, and is abandoned if the journal needs more.
struct SessionWriter {
    /// The session with all changes, written or not.
    private var content: SessionContent

    /// The document with all changes, written or not.
    var document: Document { content.document }

    private let directory: any SessionDirectory
    private var files: GenerationFiles
    /// The journal size in bytes at which a new generation begins, if the disk has plenty of room.
    private let journalLimit: UInt64
    private var journal: OpenJournal?
    /// The next generation, nil while there is none.
    private var next: NextGeneration?
    /// Whether the journals would survive a power cut in full once the current flush, if any, has ended.
    private var isFlushed = true
    /// The next generation whose journal the current flush includes, nil if there is none.
    private var flushing: UInt64?
    /// Whether it was abandoned since that flush began.
    private var isFlushingAbandoned = false
    /// Records of changes in the document that the journals lack, because there was no room.
    private var unwritten = Backlog()
    /// The position in the journals that corresponds to the document without the unwritten changes, nil if there is
    /// none.
    private var end: JournalEnd?
    /// The newest reliable snapshot, nil if there is none.
    private var snapshot: UInt64?
    /// Background work for the next generation that has not begun.
    private var waitingWork: DiskWork?
    /// The generation of the background work that is running, nil for none.
    private var workedOn: UInt64?
    /// The journals that the session was recovered from, and their lengths in bytes.
    private let recovered: [UInt64: UInt64]

    private struct OpenJournal {
        let file: any SessionFile
        /// The length at which the next generation begins.
        var limit: UInt64
    }

    /// A generation that is not valid yet.
    private struct NextGeneration {
        let number: UInt64
        let journal: any SessionFile
        /// Its journal's length in bytes.
        var length = UInt64(JournalHeader.size)
        /// Whether its snapshot has its name, which a power cut may still undo.
        var isNamed = false
    }

    /// A writer that continues a recovered session; it does not write before the first call of ``write(_:)``.
    init(_ recovery: Recovery, in directory: any SessionDirectory, journalLimit: UInt64 = 1 << 20) {
        content = recovery.content
        self.directory = directory
        self.journalLimit = journalLimit
        files = GenerationFiles(recovery, in: directory)
        end = recovery.end
        snapshot = recovery.report.snapshot
        recovered = recovery.journalLengths
    }

    // MARK: Writing

    /// Applies changes to the document and returns when they would survive a crash of this process.
    ///
    /// After an error the changes are still applied, and the next call writes what is missing, or the document as a
    /// whole.
    mutating func write(_ batches: [[DocumentChange]]) throws(StorageFailure) {
        for change in batches.joined() { content.apply(change) }
        if unwritten.size > Backlog.limit { giveUpJournals() }
        if end != nil { for batch in batches where !batch.isEmpty { unwritten.add(JournalRecord.bytes(of: batch)) } }
        guard journal != nil else { return try writeGeneration() }
        do throws(StorageFailure) {
            try append()
        } catch {
            let hasMoreRoom = makesRoom(after: error)
            if journal != nil { return try append() }
            guard hasMoreRoom else { throw error }
            try tryGeneration()
        }
    }

    /// The work of flushing what was written, nil if everything is flushed. Changes may be written meanwhile; call
    /// ``endFlush(_:)`` before beginning another flush.
    mutating func beginFlush() -> DiskWork? {
        guard let journal, !isFlushed else { return nil }
        isFlushed = true
        (flushing, isFlushingAbandoned) = (next?.number, false)
        return DiskWork(flushing: [journal.file] + (next.map { [$0.journal] } ?? []))
    }

    /// Ends the flush that ``beginFlush()`` began: everything written before that would survive a power cut.
    ///
    /// After an error the next ``write(_:)`` writes the document as a whole.
    mutating func endFlush(_ result: DiskResult) throws(StorageFailure) {
        if let flushing, isFlushingAbandoned { files.discard(.journal, flushing) }
        flushing = nil
        do throws(StorageFailure) {
            try result.get()
        } catch {
            giveUpJournals()
            throw error
        }
        beginGenerationWhenDue()
    }

    /// Replaces the document without a recorded change; the next ``write(_:)`` stores it as a whole.
    mutating func replaceDocument(_ document: Document) {
        content.replaceDocument(document)
        giveUpJournals()
    }

    /// Writes what the journals lack, the oldest first: where not everything fits, as much as fits.
    private mutating func append() throws(StorageFailure) {
        guard let journal else { return }
        var pieceLimit = Backlog.pieceLimit
        while let end, let piece = unwritten.piece(upTo: pieceLimit) {
            isFlushed = false
            do throws(StorageFailure) {
                try journal.file.append(piece.bytes)
            } catch {
                guard error.isLackOfSpace, (try? journal.file.truncate(to: end.length)) != nil else {
                    giveUpJournals()
                    throw error
                }
                guard piece.count > 1 else {
                    // A half-written snapshot must not use up the room.
                    abandonWork()
                    throw error
                }
                pieceLimit = piece.bytes.count / 2
                continue
            }
            unwritten.removeFirst(piece)
            self.end?.length += UInt64(piece.bytes.count)
            try copyToNext(piece.bytes)
        }
    }

    /// Adds what the journal got to the next generation's journal.
    private mutating func copyToNext(_ records: [UInt8]) throws(StorageFailure) {
        guard let next else { return }
        do throws(StorageFailure) {
            try next.journal.append(records)
            self.next?.length += UInt64(records.count)
        } catch {
            try fail(next, error)
        }
    }

    private mutating func giveUpJournals() {
        journal = nil
        end = nil
        next = nil
        waitingWork = nil
        unwritten = Backlog()
    }

    // MARK: Work in the background

    /// Work to do in parallel to writing and flushing; nil if there is none, or some is under way. Pass its result to
    /// ``endWork(_:)``.
    mutating func beginWork() -> DiskWork? {
        guard workedOn == nil, let next, let work = waitingWork else { return nil }
        waitingWork = nil
        workedOn = next.number
        return work
    }

    /// Ends the work that ``beginWork()`` returned.
    ///
    /// After an error the next ``write(_:)`` writes the document as a whole.
    mutating func endWork(_ result: DiskResult) throws(StorageFailure) {
        guard let number = workedOn else { return }
        workedOn = nil
        // It may have been abandoned meanwhile, and the document written as a whole.
        guard next?.number == number else { return }
        try advance(result)
    }

    /// Abandons the background work, unless a restart might already find its result.
    mutating func abandonWork() {
        guard let next, !next.isNamed else { return }
        files.discard(.snapshot, next.number)
        // A flush fails if a file that it includes has gone.
        if next.number == flushing { isFlushingAbandoned = true } else { files.discard(.journal, next.number) }
        self.next = nil
        waitingWork = nil
    }

    /// Continues the next generation after work for it.
    private mutating func advance(_ result: DiskResult) throws(StorageFailure) {
        guard let next else { return }
        switch result {
        case .success where next.isNamed: adopt(next)
        case .success: try name(next)
        case .failure(let error): try fail(next, error)
        }
    }

    private mutating func name(_ next: NextGeneration) throws(StorageFailure) {
        do throws(StorageFailure) {
            try files.nameSnapshot(next.number)
        } catch {
            // The snapshot may or may not have its name.
            giveUpJournals()
            throw error
        }
        self.next?.isNamed = true
        waitingWork = DiskWork(steps: [directory.flushNames])
    }

    private mutating func adopt(_ next: NextGeneration) {
        files.removeAll(before: snapshot ?? next.number)
        journal = OpenJournal(file: next.journal, limit: next.length + journalRoom)
        end = JournalEnd(generation: next.number, length: next.length)
        snapshot = next.number
        self.next = nil
    }

    private mutating func fail(_ next: NextGeneration, _ error: StorageFailure) throws(StorageFailure) {
        abandonWork()
        guard !next.isNamed else {
            giveUpJournals()
            throw error
        }
        // The old journal suffices while it is the valid one.
        guard journal != nil else { throw error }
        if !makesRoom(after: error) { postponeGeneration() }
    }

    /// Bytes by which a journal may grow before a new generation begins: few enough to leave room for a snapshot.
    private var journalRoom: UInt64 {
        let room = directory.freeSpace.map { $0 / 4 } ?? .max
        return min(max(room, journalLimit / 256), journalLimit)
    }

    private mutating func postponeGeneration() {
        guard let end else { return }
        let limit = end.length + max(1, journalRoom / 4)
        journal?.limit = limit
    }

    /// Removes the previous generation if the disk is full; returns whether there may be more room now.
    private mutating func makesRoom(after error: StorageFailure) -> Bool {
        guard error.isLackOfSpace, let snapshot else { return false }
        return files.removeAll(before: snapshot)
    }

    // MARK: Generations

    private mutating func beginGenerationWhenDue() {
        guard workedOn == nil, next == nil, unwritten.isEmpty, let limit = journal?.limit, let end, end.length >= limit
        else { return }
        do throws(StorageFailure) {
            try beginGeneration()
        } catch {
            if !makesRoom(after: error) { postponeGeneration() }
        }
    }

    /// Writes the document as a new generation, synchronously.
    private mutating func writeGeneration() throws(StorageFailure) {
        do throws(StorageFailure) {
            try tryGeneration()
        } catch {
            guard error.isLackOfSpace else { throw error }
            if makesRoom(after: error), (try? tryGeneration()) != nil { return }
            // Without a journal to continue, a snapshot may use all the room.
            if try !goOnInJournal() { try tryGeneration(leavingRoom: false) }
        }
    }

    /// Continues the recovered journal, because there is no room for a snapshot.
    ///
    /// - Returns: Whether that was possible: the journal must end where recovery did.
    private mutating func goOnInJournal() throws(StorageFailure) -> Bool {
        guard let end,
            let file = try? directory.open(SessionFileName.name(.journal, end.generation), length: end.length)
        else { return false }
        // The process that wrote it may have flushed neither its name nor the journals that it continues.
        try directory.flushNames()
        for (generation, length) in recovered where generation != end.generation {
            let name = SessionFileName.name(.journal, generation)
            if let earlier = try? directory.open(name, length: length) { try earlier.flush() }
        }
        isFlushed = false
        journal = OpenJournal(file: file, limit: end.length)
        postponeGeneration()
        try append()
        return true
    }

    private mutating func tryGeneration(leavingRoom: Bool = true) throws(StorageFailure) {
        try beginGeneration(leavingRoom: leavingRoom)
        while let work = waitingWork {
            waitingWork = nil
            try advance(work.run())
        }
        unwritten = Backlog()
        isFlushed = true
    }

    /// Begins a generation with the current document as its snapshot.
    ///
    /// - Parameter leavingRoom: Whether the snapshot leaves a quarter of the free space to the current journal.
    private mutating func beginGeneration(leavingRoom: Bool = true) throws(StorageFailure) {
        try directory.claim()
        if files.nextNumber == nil { startOver() }
        let number = files.nextNumber ?? 1
        try files.setForeignFilesAside()
        // The journals end before unwritten changes, which only the snapshot has.
        let previous = unwritten.isEmpty ? end : nil
        let (journal, file) = try files.create(JournalHeader(generation: number, previous: previous))
        files.add(number)
        next = NextGeneration(number: number, journal: journal)
        let snapshot = SnapshotFile(generation: number, content: content)
        let room = end == nil || !leavingRoom ? nil : directory.freeSpace.map { $0 - $0 / 4 }
        let write: DiskStep = { () throws(StorageFailure) in
            let bytes = snapshot.bytes
            guard UInt64(bytes.count) <= room ?? .max else {
                throw .file(FileError("write", SessionFileName.pendingSnapshot(number), code: ENOSPC))
            }
            try file.append(bytes)
        }
        let flush: DiskStep = { () throws(StorageFailure) in try file.flush() }
        // The new journal's name must be on disk before the snapshot's if it can contain changes by then.
        waitingWork = DiskWork(steps: [write, flush] + (self.journal == nil ? [] : [directory.flushNames]))
    }

    /// Sets all files aside when the numbers are used up, which only a stray file's name can cause.
    private mutating func startOver() {
        files.disownAll()
        snapshot = nil
        giveUpJournals()
    }
}
