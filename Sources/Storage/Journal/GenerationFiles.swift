/// The snapshots and journals in a directory: which numbers are this session's, and what becomes of old and strange ones.
struct GenerationFiles {
    private let directory: any SessionDirectory
    /// The numbers of all files that belong to this session.
    private var numbers: Set<UInt64>
    private var damagedFiles: [String]

    /// Files that are kept of those set aside.
    private static let asideLimit = 8

    /// The files that a session was recovered from.
    init(_ recovery: Recovery, in directory: any SessionDirectory) {
        self.directory = directory
        numbers = recovery.generations
        damagedFiles = recovery.report.damages.map(\.file)
    }

    /// A number that is higher than those of all files; nil when there is none.
    var nextNumber: UInt64? {
        let newest = numbers.max() ?? 0
        return newest < .max ? newest + 1 : nil
    }

    /// Counts a generation as this session's.
    mutating func add(_ number: UInt64) { numbers.insert(number) }

    /// Disowns all files: the next ``setForeignFilesAside()`` puts them out of the way, and counting starts anew.
    mutating func disownAll() { numbers = [] }

    /// Keeps, under other names, what must not be deleted with the session's old files: damaged files, and a session that
    /// appeared since the directory was read.
    mutating func setForeignFilesAside() throws(StorageFailure) {
        let names = try directory.names()
        for name in damagedFiles where names.contains(name) {
            try? directory.link(name, to: SessionFileName.aside(name))
        }
        damagedFiles = []
        for name in names {
            guard let file = SessionFileName.parse(name), !numbers.contains(file.generation) else { continue }
            try directory.rename(name, to: SessionFileName.aside(name))
        }
    }

    /// Creates the journal of a generation, with its header, and the file that becomes its snapshot.
    func create(_ header: JournalHeader) throws(StorageFailure) -> (journal: any SessionFile, snapshot: any SessionFile)
    {
        do throws(StorageFailure) {
            let journal = try directory.create(SessionFileName.name(.journal, header.generation))
            try journal.append(header.bytes)
            return (journal, try directory.create(SessionFileName.pendingSnapshot(header.generation)))
        } catch {
            discard(header.generation)
            throw error
        }
    }

    /// Gives the snapshot of a generation the name under which a restart finds it.
    func nameSnapshot(_ number: UInt64) throws(StorageFailure) {
        try directory.rename(SessionFileName.pendingSnapshot(number), to: SessionFileName.name(.snapshot, number))
    }

    /// Removes what was made of a generation that does not count and never will.
    func discard(_ number: UInt64) {
        for name in [SessionFileName.pendingSnapshot(number), SessionFileName.name(.journal, number)] {
            try? directory.remove(name)
        }
    }

    /// Removes what recovery will not need. Errors do no harm: the files are tried again with the next generation.
    ///
    /// - Returns: Whether there was a generation to remove.
    @discardableResult
    mutating func removeAll(before oldest: UInt64) -> Bool {
        numbers = numbers.filter { $0 >= oldest }
        guard let names = try? directory.names() else { return false }
        let old = names.filter { (SessionFileName.parse($0)?.generation ?? oldest) < oldest }
        let pending = names.filter { SessionFileName.isPending($0) }
        let aside = names.filter { SessionFileName.generation(ofAside: $0) != nil }.sorted {
            SessionFileName.generation(ofAside: $0)! > SessionFileName.generation(ofAside: $1)!
        }
        for name in old + pending + aside.dropFirst(Self.asideLimit) { try? directory.remove(name) }
        return !old.isEmpty
    }
}
