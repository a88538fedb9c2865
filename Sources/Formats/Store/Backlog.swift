import Music

/// Changes that are not stored yet, in their order.
struct Backlog {
    /// The most bytes that are written at once: a disk that is almost full takes as much as fits.
    static let pieceLimit = 65_536
    /// The bytes beyond which the session as a whole is written instead.
    static let limit = 16 << 20

    private var rows: ArraySlice<ChangeRow> = []
    /// Bytes of all their contents.
    private(set) var size = 0

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ row: ChangeRow) {
        rows.append(row)
        size += row.content.count
    }

    /// The oldest rows with up to so many bytes, at least one; none if there is none.
    func piece(upTo limit: Int = pieceLimit) -> [ChangeRow] {
        var (piece, size): ([ChangeRow], Int) = ([], 0)
        for row in rows {
            size += row.content.count
            guard piece.isEmpty || size <= limit else { break }
            piece.append(row)
        }
        return piece
    }

    /// Removes the rows up to a number, which are stored.
    mutating func remove(through number: Int64) {
        while let first = rows.first, first.number <= number {
            size -= first.content.count
            rows.removeFirst()
        }
        // An empty slice would keep the rows' memory.
        if rows.isEmpty { rows = [] }
    }

    mutating func removeAll() { self = Backlog() }
}

/// The changes that the storage thread has not seen yet, bounded: if the disk hangs for long, the newest document replaces
/// them all.
struct UnsavedChanges {
    /// A document that replaces everything before, if there were too many changes to keep.
    private(set) var replacement: Document?
    /// Later changes, in batches that belong together.
    private(set) var batches: [[DocumentChange]] = []
    private var changeCount = 0

    /// How many changes are kept before a document replaces them.
    static let capacity = 8192

    var isEmpty: Bool { replacement == nil && batches.isEmpty }

    /// Adds changes; replaces them by the resulting document if there are too many.
    mutating func add(_ changes: [DocumentChange], document: () -> Document) {
        guard !changes.isEmpty else { return }
        if changeCount + changes.count <= Self.capacity {
            batches.append(changes)
            changeCount += changes.count
        } else {
            self = UnsavedChanges(replacement: document())
        }
    }

    init(replacement: Document? = nil) {
        self.replacement = replacement
    }
}
