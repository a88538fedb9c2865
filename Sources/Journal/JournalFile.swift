import JSON
import Music

// A journal starts with a header:
//
//     "PXBPJRNL"  version u32  generation u64  previous generation u64  its length u64  checksum u32
//
// followed by a record for each batch of changes that belong together:
//
//     length u32  checksum u32  changes, `length` bytes: a JSON array
//
// The version is that of this framing; its contents describe themselves. Numbers are little-endian; a checksum is the
// CRC-32C of everything before it and, in a record, of the changes.

struct JournalHeader: Equatable {
    static let magic = Array("PXBPJRNL".utf8)
    static let version: UInt32 = 2
    /// In bytes.
    static let size = 40

    /// The journal's number: its records continue the snapshot of the same number.
    var generation: UInt64
    /// Another journal's position at which the state is the one that this journal starts from.
    var previous: JournalEnd?

    var bytes: [UInt8] {
        Sealed.bytes(magic: Self.magic, version: Self.version) { writer in
            writer.write(generation)
            writer.write(previous?.generation ?? 0)
            writer.write(previous?.length ?? 0)
        }
    }

    init(generation: UInt64, previous: JournalEnd?) {
        self.generation = generation
        self.previous = previous
    }

    init(_ bytes: ArraySlice<UInt8>) throws(Damage.Reason) {
        guard bytes.count >= Self.size else { throw .torn }
        let content = try Sealed.open(bytes.prefix(Self.size), magic: Self.magic, version: Self.version)
        var reader = ByteReader(content)
        guard let generation = try? reader.integer(UInt64.self), let previous = try? reader.integer(UInt64.self),
            let length = try? reader.integer(UInt64.self)
        else { throw .malformed }
        self.init(generation: generation, previous: length > 0 ? .init(generation: previous, length: length) : nil)
    }
}

/// A position up to which a journal was read or written.
struct JournalEnd: Equatable {
    var generation: UInt64
    /// The journal's length up to there, in bytes.
    var length: UInt64
}

enum JournalRecord {
    /// The record of changes that are recovered together or not at all.
    static func bytes(of changes: [DocumentChange]) -> [UInt8] {
        bytes(of: JSONValue.array(changes.map { .object($0.stored) }))
    }

    /// The record of stored changes.
    static func bytes(of changes: JSONValue) -> [UInt8] {
        let payload = changes.bytes
        var record = ByteWriter()
        record.write(UInt32(payload.count))
        var checksum = CRC32C()
        checksum.update(record.bytes)
        checksum.update(payload)
        record.write(checksum.value)
        record.write(raw: payload)
        return record.bytes
    }

    /// Reads the record at the start of a journal's rest: its changes, and its size in bytes.
    static func read(_ rest: ArraySlice<UInt8>) throws(Damage.Reason) -> (changes: [ReadChange], size: Int) {
        // A power cut can leave zeros where nothing was written yet.
        guard !rest.allSatisfy({ $0 == 0 }) else { throw .torn }
        var reader = ByteReader(rest)
        guard let length = try? reader.integer(UInt32.self), let expected = try? reader.integer(UInt32.self),
            let payload = try? reader.take(Int(length))
        else { throw .torn }
        var checksum = CRC32C()
        checksum.update(rest.prefix(4))
        checksum.update(payload)
        guard checksum.value == expected else { throw .checksum }
        guard let changes = try? changes(payload) else { throw .malformed }
        return (changes, payload.endIndex - rest.startIndex)
    }

    private static func changes(_ payload: ArraySlice<UInt8>) throws(MalformedData) -> [ReadChange] {
        guard let array = (try? JSONValue(parsing: payload))?.arrayValue else { throw MalformedData() }
        var changes: [ReadChange] = []
        for value in array { changes.append(try ReadChange(value)) }
        return changes
    }
}
