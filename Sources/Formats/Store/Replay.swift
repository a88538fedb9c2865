import Music

/// Rebuilds a session from the rows of a database: the newest whole snapshot, and the changes after it, up to the first gap
/// or wrong checksum. It never fails, but notes everything that is wrong.
///
/// Snapshots come first, the newest before the others; then the changes, in their order.
struct Replay {
    /// The session, nil without a whole snapshot.
    private(set) var document: Document?
    /// The number of the snapshot that it starts from.
    private(set) var snapshot: Int64?
    /// The number of the last change in it.
    private(set) var number: Int64 = 0
    /// How many changes were replayed.
    private(set) var count = 0
    /// The length of the changes since the newest snapshot.
    private(set) var bytes = 0
    /// The last row of the session.
    private(set) var mark: SessionMark?
    private(set) var damages: [Damage.Reason] = []

    /// The oldest whole snapshot: the rows since then must all be there.
    private var oldest: Int64?
    /// The number of the last row that was looked at.
    private var last: Int64?
    private var hasEnded = false

    /// The most bytes of a snapshot, far more than any session needs.
    static let snapshotLimit = 256 << 20

    mutating func add(_ row: SnapshotRow, _ pieces: [PieceRow]) {
        guard let content = content(of: row, pieces), snapshot != nil || load(row, content) else {
            damages.append(.snapshot(row.number))
            return
        }
        oldest = row.number
    }

    /// The content of a whole snapshot, else nil.
    private func content(of row: SnapshotRow, _ pieces: [PieceRow]) -> [UInt8]? {
        guard pieces.count == row.parts, row.bytes <= Self.snapshotLimit else { return nil }
        var content: [UInt8] = []
        for (part, piece) in pieces.enumerated() {
            guard piece.part == part, piece.isWhole else { return nil }
            content += piece.content
        }
        return row.isWhole(content) ? content : nil
    }

    private mutating func load(_ row: SnapshotRow, _ content: [UInt8]) -> Bool {
        guard let document = try? Document(storedBytes: content) else { return false }
        self.document = document
        (snapshot, number) = (row.number, row.number)
        mark = SessionMark(number: row.number, checksum: row.checksum)
        return true
    }

    /// The number after which changes are wanted, nil without a snapshot.
    var start: Int64? { oldest }

    /// Looks at the next change.
    ///
    /// - Returns: Whether the one after it is wanted.
    mutating func add(_ row: ChangeRow) -> Bool {
        guard let snapshot, let oldest, !hasEnded else { return false }
        let expected = (last ?? oldest) + 1
        if row.number != expected {
            damages.append(.gap(expected..<max(row.number, expected + 1)))
            // What the newest snapshot includes is not needed.
            guard row.number > expected, row.number <= snapshot + 1 else { return end() }
        }
        guard row.isWhole else {
            damages.append(.change(row.number))
            last = row.number
            return row.number <= snapshot || end()
        }
        last = row.number
        guard row.number > snapshot else { return true }
        return replay(row) || end()
    }

    private mutating func replay(_ row: ChangeRow) -> Bool {
        guard let changes = try? [DocumentChange](storedBytes: row.content) else {
            damages.append(.change(row.number))
            return false
        }
        for change in changes { document?.apply(change) }
        number = row.number
        mark = SessionMark(number: row.number, checksum: row.checksum)
        count += 1
        bytes += row.content.count
        return true
    }

    private mutating func end() -> Bool {
        hasEnded = true
        return false
    }

    /// All rows were looked at: those up to the newest snapshot must have been among them.
    mutating func finish() {
        guard let snapshot, let oldest, !hasEnded, (last ?? oldest) < snapshot else { return }
        damages.append(.gap((last ?? oldest) + 1..<snapshot + 1))
    }

    /// The database itself cannot be read further.
    mutating func note(_ damage: Damage.Reason) { if !damages.contains(damage) { damages.append(damage) } }
}
