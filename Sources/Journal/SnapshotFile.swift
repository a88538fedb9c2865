import JSON
import Music

// A snapshot is the number of the journal that continues it, and a whole session as a JSON object.

struct SnapshotFile {
    static let magic = Array("PXBPSNAP".utf8)
    /// The version of the framing; the content describes itself.
    static let version: UInt32 = 2

    var generation: UInt64
    var content: SessionContent
    /// The names of a newer version's data.
    private(set) var unknownNames: [String] = []

    var bytes: [UInt8] {
        Sealed.bytes(magic: Self.magic, version: Self.version) { writer in
            writer.write(generation)
            writer.write(raw: JSONValue.object(content.stored).bytes)
        }
    }

    init(generation: UInt64, content: SessionContent) {
        self.generation = generation
        self.content = content
    }

    init(_ bytes: [UInt8]) throws(Damage.Reason) {
        var reader = ByteReader(try Sealed.open(bytes[...], magic: Self.magic, version: Self.version))
        do throws(MalformedData) {
            generation = try reader.integer()
            guard let stored = (try? JSONValue(parsing: reader.rest))?.objectValue else { throw MalformedData() }
            content = try SessionContent(stored: stored, unknownNames: &unknownNames)
        } catch {
            throw .malformed
        }
    }
}
