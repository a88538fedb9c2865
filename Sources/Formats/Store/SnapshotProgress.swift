import Music

/// A snapshot that is written piece by piece, between the changes.
struct SnapshotProgress {
    /// What makes it valid.
    let row: SnapshotRow
    /// Its pieces, which come first.
    let pieces: [PieceRow]
    private var written = 0

    /// - Parameter number: The number of the last change in the document.
    init(_ document: Document, number: Int64) {
        let content = document.storedBytes
        let starts = stride(from: 0, to: content.count, by: PieceRow.limit)
        pieces = starts.enumerated().map { part, start in
            let end = min(start + PieceRow.limit, content.count)
            return PieceRow(snapshot: number, part: Int64(part), content: Array(content[start..<end]))
        }
        row = SnapshotRow(number, content: content, parts: pieces.count)
    }

    /// The piece to write now, nil if all are written.
    var nextPiece: PieceRow? { written < pieces.count ? pieces[written] : nil }

    /// The next piece was committed.
    mutating func notePiece() { written += 1 }

    /// About the bytes that it takes in a database.
    var size: UInt64 { UInt64(row.bytes) + UInt64(row.bytes) / 16 + 8192 }
}
