import Glibc
import Music

@testable import Store

/// Any content of the session's database.
///
/// An input is a series of sections: a byte for the kind, and a block. Most rows get a valid checksum, so that the code
/// behind it is reached, too.
struct SessionTarget: FuzzTarget {
    private enum Section: UInt8, CaseIterable {
        case snapshot
        case change
        case damagedChange
        /// A whole file.
        case database
        /// Leaves out a number.
        case gap
    }

    func run(_ input: UnsafeRawBufferPointer) {
        var cursor = InputCursor(input)
        var (replay, number): (Replay, Int64) = (Replay(), 0)
        while !cursor.isAtEnd {
            let section = Section.allCases[Int(cursor.byte()) % Section.allCases.count]
            let block = cursor.block()
            switch section {
            case .snapshot:
                let piece = PieceRow(snapshot: number, part: 0, content: block)
                replay.add(SnapshotRow(number, content: block, parts: 1), [piece])
            case .change, .damagedChange:
                number += 1
                var row = ChangeRow(number, content: block)
                if section == .damagedChange { row.checksum ^= 1 }
                _ = replay.add(row)
            case .database: check(read(block))
            case .gap: number += 1
            }
        }
        replay.finish()
        check(replay)
    }

    private func check(_ replay: Replay) {
        guard let document = replay.document else { return }
        Rules.check(document)
        let copy = try? Document(storedBytes: document.storedBytes)
        require(copy == document, "a document is not read as it was stored")
        require(replay.snapshot != nil && replay.mark != nil, "a session from nowhere")
    }

    /// Reads a file of these bytes.
    private func read(_ bytes: [UInt8]) -> Replay {
        let path = "/tmp/pixelboop-fuzz-\(getpid())-\(pthread_self()).db"
        defer { for suffix in ["", "-wal", "-journal"] { SessionFile.remove(path + suffix) } }
        do throws(StorageFailure) {
            try SessionFile.write(bytes, to: path)
            return try SessionReader.read(path, fileSystem: nil).replay
        } catch {
            return Replay()
        }
    }
}
