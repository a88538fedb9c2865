/// Records that wait for room in the journal, in their order.
struct Backlog {
    /// The most bytes that are written at once: a disk that is almost full takes as much as fits.
    static let pieceLimit = 65_536
    /// The bytes beyond which the document as a whole is written instead.
    static let limit = 16 << 20

    /// Records that are written together.
    struct Piece {
        fileprivate(set) var bytes: [UInt8] = []
        /// How many they are.
        fileprivate(set) var count = 0
    }

    private var records: ArraySlice<[UInt8]> = []
    /// Bytes of all records.
    private(set) var size = 0

    var isEmpty: Bool { records.isEmpty }

    mutating func add(_ record: [UInt8]) {
        records.append(record)
        size += record.count
    }

    /// The oldest records with up to so many bytes, at least one; nil if there is none.
    func piece(upTo limit: Int) -> Piece? {
        guard !records.isEmpty else { return nil }
        var piece = Piece()
        for record in records {
            guard piece.count == 0 || piece.bytes.count + record.count <= limit else { break }
            piece.bytes += record
            piece.count += 1
        }
        return piece
    }

    /// Removes records that have been written.
    mutating func removeFirst(_ piece: Piece) {
        records.removeFirst(piece.count)
        size -= piece.bytes.count
        // An empty slice would keep the records' memory.
        if records.isEmpty { records = [] }
    }
}
