import Music

// The session's database has three tables:
//
//     changes    a row for each batch of changes that belong together, numbered one after the other
//     snapshots  the whole session after the change of that number, its length and checksum
//     pieces     the snapshots' content, in parts
//
// A checksum is the CRC-32C of the row's numbers (little-endian, 64 bits each) and its content. So a row that was damaged,
// or moved to another's place, is recognized whatever the database thinks of it.

/// A batch of changes that are restored together or not at all.
struct ChangeRow: Equatable, Sendable {
    var number: Int64
    var checksum: UInt32
    var content: [UInt8]

    init(number: Int64, checksum: UInt32, content: [UInt8]) {
        (self.number, self.checksum, self.content) = (number, checksum, content)
    }

    init(_ number: Int64, _ changes: [DocumentChange]) { self.init(number, content: changes.storedBytes) }

    init(_ number: Int64, content: [UInt8]) {
        self.init(number: number, checksum: .ofRow([number], content), content: content)
    }

    var isWhole: Bool { checksum == .ofRow([number], content) }
}

/// A snapshot: the session after a change.
struct SnapshotRow: Equatable, Sendable {
    /// The number of the last change that it includes.
    var number: Int64
    /// How many pieces it has.
    var parts: Int64
    /// The length of its content.
    var bytes: Int64
    var checksum: UInt32

    init(number: Int64, parts: Int64, bytes: Int64, checksum: UInt32) {
        (self.number, self.parts, self.bytes, self.checksum) = (number, parts, bytes, checksum)
    }

    init(_ number: Int64, content: [UInt8], parts: Int) {
        self.init(
            number: number, parts: Int64(parts), bytes: Int64(content.count),
            checksum: .ofRow([number, Int64(parts), Int64(content.count)], content))
    }

    func isWhole(_ content: [UInt8]) -> Bool {
        bytes == content.count && checksum == .ofRow([number, parts, bytes], content)
    }
}

/// A piece of a snapshot.
struct PieceRow: Equatable, Sendable {
    /// The longest content in bytes, so that writing one delays no change.
    static let limit = 65_536

    var snapshot: Int64
    /// From 0.
    var part: Int64
    var checksum: UInt32
    var content: [UInt8]

    init(snapshot: Int64, part: Int64, checksum: UInt32, content: [UInt8]) {
        (self.snapshot, self.part, self.checksum, self.content) = (snapshot, part, checksum, content)
    }

    init(snapshot: Int64, part: Int64, content: [UInt8]) {
        self.init(
            snapshot: snapshot, part: part, checksum: .ofRow([snapshot, part], content), content: content)
    }

    var isWhole: Bool { checksum == .ofRow([snapshot, part], content) }
}

extension UInt32 {
    /// The checksum of a row with these numbers.
    fileprivate static func ofRow(_ numbers: [Int64], _ content: [UInt8]) -> UInt32 {
        var writer = ByteWriter()
        for number in numbers { writer.write(number) }
        var checksum = CRC32C()
        checksum.update(writer.bytes)
        checksum.update(content)
        return checksum.value
    }
}
