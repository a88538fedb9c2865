/// Bytes that say what they are and can tell whether they are whole: a magic word, a version, the content and a checksum
/// over all of it.
enum Sealed {
    static func bytes(magic: [UInt8], version: UInt32, content: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(raw: magic)
        writer.write(version)
        content(&writer)
        writer.write(CRC32C.checksum(writer.bytes))
        return writer.bytes
    }

    /// The content of sealed bytes.
    static func open(
        _ bytes: ArraySlice<UInt8>, magic: [UInt8], version: UInt32
    ) throws(Damage.Reason) -> ArraySlice<UInt8> {
        let overhead = magic.count + 8
        guard bytes.count >= overhead else { throw .torn }
        guard bytes.starts(with: magic) else { throw .malformed }
        var head = ByteReader(bytes.dropFirst(magic.count))
        var tail = ByteReader(bytes.suffix(4))
        guard let found = try? head.integer(UInt32.self), let checksum = try? tail.integer(UInt32.self) else {
            throw .malformed
        }
        guard found == version else { throw .version(found) }
        guard checksum == CRC32C.checksum(bytes.dropLast(4)) else { throw .checksum }
        return bytes.dropFirst(magic.count + 4).dropLast(4)
    }
}
