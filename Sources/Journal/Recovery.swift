import Music

/// Rebuilds a session from the files of a directory: the newest intact snapshot, the journal that continues it, and the
/// journals that continue that one. It never fails, but reports files that it cannot use.
struct Recovery {
    /// The session as far as it could be rebuilt.
    private(set) var content = SessionContent()
    private(set) var report = RecoveryReport()
    /// The position in the journals that corresponds to the document, nil if there is none.
    private(set) var end: JournalEnd?
    /// The numbers of all snapshots and journals found.
    private(set) var generations: Set<UInt64> = []

    /// The session's document as far as it could be rebuilt.
    var document: Document { content.document }

    private let directory: any SessionDirectory
    /// The journals not yet replayed that may hold changes.
    private var journals: [UInt64: [UInt8]] = [:]
    /// The intact parts of the replayed journals.
    private var replayed: [UInt64: ArraySlice<UInt8>] = [:]

    /// The replayed journals, and the lengths of their intact parts in bytes.
    var journalLengths: [UInt64: UInt64] { replayed.mapValues { UInt64($0.count) } }

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

    /// A file's content; if it cannot be read, nil and a report.
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
        var next: JournalEnd? = JournalEnd(generation: snapshot, length: UInt64(JournalHeader.size))
        while let start = next {
            end = replayJournal(from: start)
            next = end.flatMap { successor(of: $0) }
        }
    }

    /// Applies a journal's changes from a position up to the first damaged record.
    ///
    /// - Returns: The position up to which the journal is intact; nil if its header is not.
    private mutating func replayJournal(from start: JournalEnd) -> JournalEnd? {
        let name = SessionFileName.name(.journal, start.generation)
        guard let bytes = journals.removeValue(forKey: start.generation) else {
            add(.missing, in: name, from: 0, to: 0)
            return nil
        }
        do throws(Damage.Reason) {
            guard try JournalHeader(bytes[...]).generation == start.generation else { throw .malformed }
        } catch {
            add(error, in: name, from: 0, to: bytes.count)
            return nil
        }
        let end = replayRecords(of: bytes, from: Int(start.length), in: name)
        replayed[start.generation] = bytes[..<end]
        return JournalEnd(generation: start.generation, length: UInt64(end))
    }

    private mutating func replayRecords(of bytes: [UInt8], from start: Int, in name: String) -> Int {
        var position = start
        var unknownNames: [String] = []
        defer { add(unknown: unknownNames, in: name) }
        while position < bytes.endIndex {
            do throws(Damage.Reason) {
                let record = try JournalRecord.read(bytes[position...])
                for change in record.changes {
                    content.apply(change)
                    for name in change.unknownNames { unknownNames.add(name) }
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

    /// The position at which another journal continues this one. A journal begins at a position in the one before it,
    /// and both get all changes until the new one is valid: it continues the old one if it holds everything that
    /// follows there. Of several the newest is valid; the others were abandoned.
    private func successor(of end: JournalEnd) -> JournalEnd? {
        let successors = journals.filter { _, bytes in
            guard let common = shared(with: bytes), common.generation == end.generation else { return false }
            return bytes[JournalHeader.size...].starts(with: common.bytes)
        }
        return successors.max { $0.key < $1.key }.flatMap { generation, bytes in
            shared(with: bytes).map {
                JournalEnd(generation: generation, length: UInt64(JournalHeader.size + $0.bytes.count))
            }
        }
    }

    /// The part of a replayed journal from where another begins; nil if the other begins elsewhere.
    private func shared(with bytes: [UInt8]) -> (generation: UInt64, bytes: ArraySlice<UInt8>)? {
        guard let start = try? JournalHeader(bytes[...]).previous, let whole = replayed[start.generation],
            start.length <= whole.endIndex
        else { return nil }
        return (start.generation, whole[Int(start.length)...])
    }

    // MARK: Reporting

    private mutating func reportUnusedJournals() {
        for (generation, bytes) in journals.sorted(by: { $0.key < $1.key }) where hasMore(bytes) {
            let name = SessionFileName.name(.journal, generation)
            do throws(Damage.Reason) {
                _ = try JournalHeader(bytes[...])
                add(.unconnected, in: name, from: JournalHeader.size, to: bytes.count)
            } catch {
                add(error, in: name, from: 0, to: bytes.count)
            }
        }
    }

    /// Whether a journal holds changes that are missing in the one it begins in.
    private func hasMore(_ bytes: [UInt8]) -> Bool {
        guard let common = shared(with: bytes) else { return bytes.count > JournalHeader.size }
        // A power cut can leave zeros.
        let written = bytes[JournalHeader.size...].reversed().drop { $0 == 0 }.count
        return !common.bytes.starts(with: bytes[JournalHeader.size...].prefix(written))
    }

    private mutating func add(unknown names: [String], in file: String) {
        if !names.isEmpty { add(.unknown(names), in: file, from: 0, to: 0) }
    }

    private mutating func add(_ reason: Damage.Reason, in file: String, from start: Int, to end: Int) {
        report.damages.append(Damage(file: file, offset: start, bytes: end - start, reason: reason))
    }
}
