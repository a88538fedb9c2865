import Music

@testable import Journal

/// Any content of a state directory.
///
/// An input is a series of sections: a byte for the kind, and a block. Sealed sections get a valid checksum, so that
/// the code behind it is reached, too.
struct JournalTarget: FuzzTarget {
    func run(_ input: UnsafeRawBufferPointer) {
        let directory = SimulatedDirectory(files(in: input))
        let recovery = Recovery(directory)
        Rules.check(recovery.document)
        for damage in recovery.report.damages { require(!damage.description.isEmpty, "damage without a reason") }

        var writer = SessionWriter(recovery, in: directory)
        commit([], to: &writer)
        check(Recovery(directory), finds: recovery.document)
        commit([[.set(.tempo, to: 99)], [.undo, .setName("after")]], to: &writer)
        check(Recovery(directory), finds: writer.document)
    }

    private func commit(_ batches: [[DocumentChange]], to writer: inout SessionWriter) {
        do throws(StorageFailure) {
            try writer.commit(batches)
        } catch {
            require(false, "nothing fails here: \(error)")
        }
    }

    private func check(_ recovery: Recovery, finds document: Document) {
        require(recovery.document == document, "another session was recovered than was written")
        require(recovery.report.damages.isEmpty, "damage in what was just written: \(recovery.report.damages)")
    }

    // MARK: The directory

    private enum Section: UInt8, CaseIterable {
        case snapshot
        case sealedSnapshot
        case journal
        case sealedHeader
        case sealedRecord
        /// A new number for the files that follow.
        case generation
    }

    private func files(in input: UnsafeRawBufferPointer) -> [String: [UInt8]] {
        var cursor = Cursor(input)
        var files: [String: [UInt8]] = [:]
        var generation: UInt64 = 1
        while !cursor.isAtEnd {
            let section = Section.allCases[Int(cursor.byte()) % Section.allCases.count]
            let block = cursor.block()
            let snapshot = SessionFileName.name(.snapshot, generation)
            let journal = SessionFileName.name(.journal, generation)
            switch section {
            case .snapshot: files[snapshot] = block
            case .sealedSnapshot:
                files[snapshot] = Sealed.bytes(magic: SnapshotFile.magic, version: SnapshotFile.version) {
                    $0.write(generation)
                    $0.write(raw: block)
                }
            case .journal: files[journal, default: []] += block
            case .sealedHeader:
                files[journal] = Sealed.bytes(magic: JournalHeader.magic, version: JournalHeader.version) {
                    $0.write(generation)
                    $0.write(raw: (block + [UInt8](repeating: 0, count: 16)).prefix(16))
                }
            case .sealedRecord: files[journal, default: []] += record(block)
            case .generation: generation = block.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        return files
    }

    private func record(_ payload: [UInt8]) -> [UInt8] {
        var record = ByteWriter()
        record.write(UInt32(payload.count))
        record.write(CRC32C.checksum(record.bytes + payload))
        record.write(raw: payload)
        return record.bytes
    }
}
