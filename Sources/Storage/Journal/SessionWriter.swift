import Music

/// Keeps a directory's files up to date with a document, so that ``Recovery`` finds it again after a crash between any
/// two file operations.
///
/// A generation is a snapshot and the journal of what happened since. The next generation begins with its journal, still
/// empty; then its snapshot is written and takes its name, and from then on it is the one that counts. The generation
/// before is kept in case that the new snapshot cannot be read one day. A file that had an error is never written to
/// again: after a failed write or flush nobody knows what is in it, so a new generation begins instead.
struct SessionWriter {
    /// The session with all changes, written or not.
    private var content: SessionContent

    /// The document with all changes, written or not.
    var document: Document { content.document }

    private let directory: any SessionDirectory
    /// Bytes of a journal after which a new generation begins.
    private let journalLimit: UInt64
    private var journal: OpenJournal?
    /// Whether all of the journal would outlast a power cut once the flush under way, if any, has ended.
    private var isFlushed = true
    /// The place in the journals that the document corresponds to, nil when it corresponds to none.
    private var end: JournalEnd?
    /// The newest snapshot that could be relied on, nil when there is none.
    private var snapshot: UInt64?
    /// The numbers of all files that belong to this session.
    private var generations: Set<UInt64>
    private var damagedFiles: [String]

    /// Files that are kept of those set aside.
    private static let asideLimit = 8

    private struct OpenJournal {
        let file: any SessionFile
        /// The length at which the next generation begins.
        var limit: UInt64
    }

    /// A writer that goes on from what was recovered of the directory; nothing is written before the first commit.
    init(_ recovery: Recovery, in directory: any SessionDirectory, journalLimit: UInt64 = 1 << 20) {
        content = recovery.content
        self.directory = directory
        self.journalLimit = journalLimit
        end = recovery.end
        snapshot = recovery.report.snapshot
        generations = recovery.generations
        damagedFiles = recovery.report.damages.map(\.file)
    }

    /// Makes changes to the document and returns when they would outlast this process.
    ///
    /// After an error the changes are made, and the next call writes the document as a whole.
    mutating func write(_ batches: [[DocumentChange]]) throws(StorageFailure) {
        for change in batches.joined() { content.apply(change) }
        if let journal {
            try append(batches, to: journal)
        } else {
            try beginGeneration()
        }
    }

    /// Returns when everything written would outlast a power cut.
    ///
    /// After an error the next ``write(_:)`` writes the document as a whole.
    mutating func flush() throws(StorageFailure) {
        guard let file = beginFlush() else { return }
        try endFlush(FlushResult(catching: file.flush))
    }

    /// The file that is to be flushed now, nil when everything is. Changes may be written until ``endFlush(_:)``, which must
    /// come before another flush is begun.
    mutating func beginFlush() -> (any SessionFile)? {
        guard let journal, !isFlushed else { return nil }
        isFlushed = true
        return journal.file
    }

    /// Takes how the flush went that ``beginFlush()`` began.
    ///
    /// After an error the next ``write(_:)`` writes the document as a whole.
    mutating func endFlush(_ result: FlushResult) throws(StorageFailure) {
        do throws(StorageFailure) {
            try result.get()
        } catch {
            giveUpJournal()
            throw error
        }
        try beginGenerationWhenDue()
    }

    /// Writes changes and flushes them.
    mutating func commit(_ batches: [[DocumentChange]]) throws(StorageFailure) {
        try write(batches)
        try flush()
    }

    /// Takes over a document of which nobody knows how it came about; the next call writes it as a whole.
    mutating func replaceDocument(_ document: Document) {
        content.replaceDocument(document)
        giveUpJournal()
    }

    // MARK: The journal

    private mutating func append(_ batches: [[DocumentChange]], to journal: OpenJournal) throws(StorageFailure) {
        let records = batches.filter { !$0.isEmpty }.flatMap { JournalRecord.bytes(of: $0) }
        guard !records.isEmpty else { return }
        isFlushed = false
        do throws(StorageFailure) {
            try journal.file.append(records)
            end?.length += UInt64(records.count)
        } catch {
            giveUpJournal()
            throw error
        }
    }

    private mutating func giveUpJournal() {
        journal = nil
        end = nil
    }

    // MARK: Generations

    private mutating func beginGenerationWhenDue() throws(StorageFailure) {
        guard let limit = journal?.limit, let length = end?.length, length >= limit else { return }
        do throws(StorageFailure) {
            try beginGeneration()
        } catch {
            // The old journal does as long as it is still the one that counts.
            guard journal != nil else { throw error }
            let postponement = journalLimit / 4
            journal?.limit += postponement
        }
    }

    private mutating func beginGeneration() throws(StorageFailure) {
        try directory.claim()
        let generation = nextGeneration()
        try setForeignFilesAside()
        let file = try prepare(JournalHeader(generation: generation, previous: end))
        generations.insert(generation)

        // From here on a restart may find the new generation: nothing must be appended to the old one.
        giveUpJournal()
        try directory.rename(
            SessionFileName.pendingSnapshot(generation), to: SessionFileName.name(.snapshot, generation))
        try directory.flush()
        journal = OpenJournal(file: file, limit: journalLimit)
        isFlushed = true
        end = JournalEnd(generation: generation, length: UInt64(JournalHeader.size))
        removeFiles(before: snapshot ?? generation)
        generations = generations.filter { $0 >= snapshot ?? generation }
        snapshot = generation
    }

    /// A number that is higher than those of all files.
    private mutating func nextGeneration() -> UInt64 {
        let newest = generations.max() ?? 0
        if newest < .max { return newest + 1 }
        // Nobody counts that far: it is the name of a stray file. All files are set aside, and counting starts anew.
        generations = []
        snapshot = nil
        giveUpJournal()
        return 1
    }

    /// Writes the journal and the snapshot of a new generation, which does not count before the snapshot has its name.
    /// The journal need not be flushed before there is something in it: without one, a snapshot stands for itself.
    private func prepare(_ header: JournalHeader) throws(StorageFailure) -> any SessionFile {
        let journalName = SessionFileName.name(.journal, header.generation)
        let snapshotName = SessionFileName.pendingSnapshot(header.generation)
        do throws(StorageFailure) {
            let journal = try directory.create(journalName)
            try journal.append(header.bytes)
            let snapshot = try directory.create(snapshotName)
            try snapshot.append(SnapshotFile(generation: header.generation, content: content).bytes)
            try snapshot.flush()
            return journal
        } catch {
            for name in [snapshotName, journalName] { try? directory.remove(name) }
            throw error
        }
    }

    // MARK: Old files

    /// Keeps, under other names, what must not be deleted with the session's old files: damaged files, and a session that
    /// appeared since the directory was read.
    private mutating func setForeignFilesAside() throws(StorageFailure) {
        let names = try directory.names()
        for name in damagedFiles where names.contains(name) {
            try? directory.link(name, to: SessionFileName.aside(name))
        }
        damagedFiles = []
        for name in names {
            guard let file = SessionFileName.parse(name), !generations.contains(file.generation) else { continue }
            try directory.rename(name, to: SessionFileName.aside(name))
        }
    }

    /// Removes what recovery will not need. Errors do no harm: the files are tried again with the next generation.
    private mutating func removeFiles(before oldest: UInt64) {
        guard let names = try? directory.names() else { return }
        let old = names.filter { (SessionFileName.parse($0)?.generation ?? oldest) < oldest }
        let pending = names.filter { SessionFileName.isPending($0) }
        let aside = names.filter { SessionFileName.generation(ofAside: $0) != nil }.sorted {
            SessionFileName.generation(ofAside: $0)! > SessionFileName.generation(ofAside: $1)!
        }
        for name in old + pending + aside.dropFirst(Self.asideLimit) { try? directory.remove(name) }
    }
}
