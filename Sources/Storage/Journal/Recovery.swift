import Music

/// Rebuilds a session from what a directory holds: the newest snapshot that is whole, the journal that goes on from it,
/// and the journals that go on from there. It never fails: what cannot be used is reported.
struct Recovery {
    /// The session as far as it could be rebuilt.
    private(set) var content = SessionContent()
    private(set) var report = RecoveryReport()
    /// The place in the journals that the document corresponds to, nil when there is none.
    private(set) var end: JournalEnd?
    /// The numbers of all snapshots and journals that were seen.
    private(set) var generations: Set<UInt64> = []

    /// The session's document as far as it could be rebuilt.
    var document: Document { content.document }

    private let directory: any SessionDirectory
    /// The journals that may hold something, until they are replayed.
    private var journals: [UInt64: [UInt8]] = [:]

    init(_ directory: any SessionDirectory) {
        self.directory = directory
        let files = files()
        generations = Set(files.map(\.generation))
        let newestFirst = files.filter { $0.kind == .snapshot }.map(\.generation).sorted(by: >)
        report.snapshot = newestFirst.first { loadSnapshot($0) }
        for file in files where file.kind == .journal && file.generation >= report.snapshot ?? 0 {
            journals[file.generation] = read(SessionFileName.name(.journal, file.generation))
        }
        if let snapshot = report.snapshot { replay(from: snapshot) }
        reportUnusedJournals()
    }

    // MARK: Reading

    private mutating func files() -> [(kind: SessionFileName.Kind, generation: UInt64)] {
        do throws(StorageFailure) {
            return try directory.names().compactMap(SessionFileName.parse)
        } catch {
            if !error.isAbsence { add(.unreadable(error), in: ".", from: 0, to: 0) }
            return []
        }
    }

    /// A file's content; nil, and reported, when it cannot be read.
    private mutating func read(_ name: String) -> [UInt8]? {
        do throws(StorageFailure) {
            return try directory.content(of: name)
        } catch {
            add(.unreadable(error), in: name, from: 0, to: 0)
            return nil
        }
    }

    private mutating func loadSnapshot(_ generation: UInt64) -> Bool {
        let name = SessionFileName.name(.snapshot, generation)
        guard let bytes = read(name) else { return false }
        do throws(Damage.Reason) {
            let snapshot = try SnapshotFile(bytes)
            guard snapshot.generation == generation else { throw .malformed }
            content = snapshot.content
            add(unknown: snapshot.unknownNames, in: name)
            return true
        } catch {
            add(error, in: name, from: 0, to: bytes.count)
            return false
        }
    }

    // MARK: Replaying

    private mutating func replay(from snapshot: UInt64) {
        var next: UInt64? = snapshot
        while let generation = next {
            end = replayJournal(generation).map { JournalEnd(generation: generation, length: UInt64($0)) }
            next = end.flatMap { successor(of: $0) }
        }
    }

    /// Makes the changes of a journal, up to the first that is damaged.
    ///
    /// - Returns: Bytes of the journal that are whole; nil when not even the header is.
    private mutating func replayJournal(_ generation: UInt64) -> Int? {
        let name = SessionFileName.name(.journal, generation)
        guard let bytes = journals.removeValue(forKey: generation) else {
            add(.missing, in: name, from: 0, to: 0)
            return nil
        }
        do throws(Damage.Reason) {
            guard try JournalHeader(bytes[...]).generation == generation else { throw .malformed }
        } catch {
            add(error, in: name, from: 0, to: bytes.count)
            return nil
        }
        return replayRecords(of: bytes, in: name)
    }

    private mutating func replayRecords(of bytes: [UInt8], in name: String) -> Int {
        var position = JournalHeader.size
        var unknownNames: [String] = []
        defer { add(unknown: unknownNames, in: name) }
        while position < bytes.endIndex {
            do throws(Damage.Reason) {
                let record = try JournalRecord.read(bytes[position...])
                for change in record.changes {
                    content.apply(change)
                    if let name = change.unknownName, !unknownNames.contains(name) { unknownNames.append(name) }
                }
                report.batches += 1
                position += record.size
            } catch {
                add(error, in: name, from: position, to: bytes.count)
                break
            }
        }
        return position
    }

    /// The journal that goes on from the end of another. The start of a generation can fail after its journal was
    /// created; of several that go on from one place the newest counts, the others are empty.
    private func successor(of end: JournalEnd) -> UInt64? {
        let successors = journals.filter { generation, bytes in
            guard generation > end.generation, let header = try? JournalHeader(bytes[...]) else { return false }
            return header.generation == generation && header.previous == end
        }
        return successors.keys.max()
    }

    // MARK: Reporting

    private mutating func reportUnusedJournals() {
        for (generation, bytes) in journals.sorted(by: { $0.key < $1.key }) where bytes.count > JournalHeader.size {
            let name = SessionFileName.name(.journal, generation)
            do throws(Damage.Reason) {
                _ = try JournalHeader(bytes[...])
                add(.unconnected, in: name, from: JournalHeader.size, to: bytes.count)
            } catch {
                add(error, in: name, from: 0, to: bytes.count)
            }
        }
    }

    private mutating func add(unknown names: [String], in file: String) {
        if !names.isEmpty { add(.unknown(names), in: file, from: 0, to: 0) }
    }

    private mutating func add(_ reason: Damage.Reason, in file: String, from start: Int, to end: Int) {
        report.damages.append(Damage(file: file, offset: start, bytes: end - start, reason: reason))
    }
}
