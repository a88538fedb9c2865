/// Bytes that cannot have been written.
struct MalformedData: Error, Equatable {}

/// Builds a binary form; numbers are little-endian.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}

/// Reads a binary form; throws, and never traps, on anything that cannot have been written.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func readBytes(_ count: Int) throws(MalformedData) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - position else { throw MalformedData() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(MalformedData) -> Number
    {
        try readBytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}

/// The Castagnoli cyclic redundancy check: finds every burst of up to 32 wrong bits, and all but one in 2^32 other errors.
///
/// Polynomial 0x1EDC6F41, reflected, as in iSCSI (RFC 3720, section 12.1, with test vectors in appendix B.4).
struct CRC32C {
    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82f6_3b78 }
    }

    private var register: UInt32 = 0xffff_ffff

    /// The checksum of all bytes so far.
    var value: UInt32 { ~register }

    mutating func update(_ bytes: some Sequence<UInt8>) {
        let table = Self.table
        for byte in bytes { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = CRC32C()
        crc.update(bytes)
        return crc.value
    }
}
