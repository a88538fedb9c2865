/// Text that stands for any bytes, so that names which are not UTF-8 can be stored, sent and handed back unchanged. JACK's
/// names of ports are bytes; a client may take one from a file or a device in Latin-1.
///
/// Bytes that are not UTF-8 become characters from U+10FE80 to U+10FEFF, which nothing else uses. If the text itself has
/// such a character, its bytes are written in the same way.
public enum ByteText {
    private static let offset: UInt32 = 0x10_fe00
    private static let escapes: ClosedRange<UInt32> = offset + 0x80...offset + 0xff

    /// The text for some bytes.
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            var decoder = UTF8()
            var iterator = rest.makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&iterator), !escapes.contains(scalar.value) {
                text.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else if let byte = rest.popFirst(), let scalar = Unicode.Scalar(offset + UInt32(byte)) {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// The text for a C string.
    public static func text(cString: UnsafePointer<CChar>) -> String {
        var bytes: [UInt8] = []
        while cString[bytes.count] != 0 { bytes.append(UInt8(bitPattern: cString[bytes.count])) }
        return text(bytes)
    }

    /// The bytes that a text stands for.
    public static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar -> [UInt8] in
            escapes.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(UTF8.encode(scalar) ?? .init())
        }
    }

    /// The C string that a text stands for.
    public static func cString(_ text: String) -> [CChar] { bytes(text).map { CChar(bitPattern: $0) } + [0] }
}
