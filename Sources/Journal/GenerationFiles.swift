import Glibc
import SystemSupport

/// The snapshots and journals in a directory: tracks this session's, removes old ones and sets foreign ones aside.
struct GenerationFiles {
    private let directory: any SessionDirectory
    /// The numbers of all files that belong to this session.
    private var numbers: Set<UInt64>
    private var damagedFiles: [String]

    /// How many files set aside are kept.
    private static let asideLimit = 8

    /// The files that a session was recovered from.
    init(_ recovery: Recovery, in directory: any SessionDirectory) {
        self.directory = directory
        numbers = recovery.generations
        // A directory that could not be read is reported as well.
        damagedFiles = recovery.report.damages.map(\.file).filter { SessionFileName.parse($0) != nil }
    }

    /// A number higher than that of any file; nil if there is none.
    var nextNumber: UInt64? {
        let newest = numbers.max() ?? 0
        return newest < .max ? newest + 1 : nil
    }

    /// Adds a generation to this session's.
    mutating func add(_ number: UInt64) { numbers.insert(number) }

    /// Disowns all files: the next ``setForeignFilesAside()`` renames them, and numbering starts again.
    mutating func disownAll() { numbers = [] }

    /// Keeps, under other names, files that must not be deleted with the session's old ones: damaged files, and a
    /// session that appeared since the directory was read.
    mutating func setForeignFilesAside() throws(StorageFailure) {
        var names = Set(try directory.names())
        for name in damagedFiles where names.contains(name) { try keep(name, &names) }
        damagedFiles = []
        for name in names {
            guard let file = SessionFileName.parse(name), !numbers.contains(file.generation) else { continue }
            try directory.rename(name, to: try freeName(for: name, &names))
        }
    }

    /// Keeps a damaged file, which recovery may still need, under a second name: as a hard link or, if unsupported, a
    /// copy.
    private func keep(_ name: String, _ names: inout Set<String>) throws(StorageFailure) {
        let content = try? directory.content(of: name)
        let isKept = SessionFileName.aside(name).contains { aside in
            names.contains(aside) && content != nil && (try? directory.content(of: aside)) == content
        }
        guard !isKept else { return }
        let aside = try freeName(for: name, &names)
        if (try? directory.link(name, to: aside)) != nil { return }
        // Recovery cannot use a file that it cannot read.
        guard let content else { return try directory.rename(name, to: aside) }
        do throws(StorageFailure) {
            let copy = try directory.create(aside)
            try copy.append(content)
            try copy.flush()
        } catch {
            try? directory.remove(aside)
            throw error
        }
    }

    private func freeName(for name: String, _ names: inout Set<String>) throws(StorageFailure) -> String {
        guard let aside = SessionFileName.aside(name).first(where: { !names.contains($0) }) else {
            throw .file(FileError("rename", name, code: EEXIST))
        }
        names.insert(aside)
        return aside
    }

    /// Creates a generation's journal with its header, and the file that becomes its snapshot.
    func create(_ header: JournalHeader) throws(StorageFailure) -> (journal: any SessionFile, snapshot: any SessionFile)
    {
        do throws(StorageFailure) {
            let journal = try directory.create(SessionFileName.name(.journal, header.generation))
            try journal.append(header.bytes)
            return (journal, try directory.create(SessionFileName.pendingSnapshot(header.generation)))
        } catch {
            for kind in [SessionFileName.Kind.snapshot, .journal] { discard(kind, header.generation) }
            throw error
        }
    }

    /// Renames a generation's snapshot so that a restart finds it.
    func nameSnapshot(_ number: UInt64) throws(StorageFailure) {
        try directory.rename(SessionFileName.pendingSnapshot(number), to: SessionFileName.name(.snapshot, number))
    }

    /// Removes the journal or the unfinished snapshot of an abandoned generation.
    func discard(_ kind: SessionFileName.Kind, _ number: UInt64) {
        let name = kind == .snapshot ? SessionFileName.pendingSnapshot(number) : SessionFileName.name(kind, number)
        try? directory.remove(name)
    }

    /// Removes files that recovery no longer needs. Errors do no harm: the next generation tries again.
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

/// The names of the session's files: a snapshot and a journal for each generation, and files set aside.
enum SessionFileName {
    enum Kind: String {
        case snapshot
        case journal
    }

    private static let prefix = "session-"
    private static let asidePrefix = "set-aside-"
    /// How many files with the same name may be set aside.
    private static let asideLimit = 100
    private static let pendingSuffix = ".tmp"

    /// The name of a generation's snapshot or journal.
    static func name(_ kind: Kind, _ generation: UInt64) -> String { "\(prefix)\(generation).\(kind.rawValue)" }

    /// The name of a snapshot that is being written.
    static func pendingSnapshot(_ generation: UInt64) -> String { name(.snapshot, generation) + pendingSuffix }

    /// The possible names for setting aside a file that is useless to the daemon, but perhaps not to its owner:
    /// `set-aside-session-7.journal`, `set-aside-2-session-7.journal`...
    static func aside(_ name: String) -> some Sequence<String> {
        (1...asideLimit).lazy.map { asidePrefix + ($0 == 1 ? "" : "\($0)-") + name }
    }

    /// Parses a name; nil if it is not that of a snapshot or journal.
    static func parse(_ name: String) -> (kind: Kind, generation: UInt64)? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix(prefix), let kind = Kind(rawValue: String(parts[1])),
            let generation = UInt64(parts[0].dropFirst(prefix.count)), Self.name(kind, generation) == name
        else { return nil }
        return (kind, generation)
    }

    /// Whether the name is that of an unfinished snapshot.
    static func isPending(_ name: String) -> Bool {
        name.hasSuffix(pendingSuffix) && parse(String(name.dropLast(pendingSuffix.count))) != nil
    }

    /// The generation of a file that was set aside, nil for other files.
    static func generation(ofAside name: String) -> UInt64? {
        guard name.hasPrefix(asidePrefix) else { return nil }
        let rest = name.dropFirst(asidePrefix.count).drop { $0.isASCII && $0.isNumber }
        return parse(String(rest.hasPrefix("-") ? rest.dropFirst() : rest))?.generation
    }
}
