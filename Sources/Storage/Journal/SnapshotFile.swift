import Music

// A snapshot is a whole document and the number of the journal that goes on from there.

/// The content of a snapshot file.
struct SnapshotFile {
    static let magic = Array("PXBPSNAP".utf8)
    static let version: UInt32 = 1

    var generation: UInt64
    var document: Document

    var bytes: [UInt8] {
        Sealed.bytes(magic: Self.magic, version: Self.version) { writer in
            writer.write(generation)
            document.write(to: &writer)
        }
    }

    init(generation: UInt64, document: Document) {
        self.generation = generation
        self.document = document
    }

    init(_ bytes: [UInt8]) throws(Damage.Reason) {
        var reader = ByteReader(try Sealed.open(bytes[...], magic: Self.magic, version: Self.version))
        do throws(MalformedData) {
            generation = try reader.integer()
            document = try Document(from: &reader)
            guard reader.isAtEnd else { throw MalformedData() }
        } catch {
            throw .malformed
        }
    }
}
