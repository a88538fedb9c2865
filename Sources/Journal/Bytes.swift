/// Bytes that are not what they were written as.
struct MalformedData: Error, Equatable {}

/// Builds a binary form; numbers are little-endian.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}

/// Reads a binary form; refuses, and never traps on, anything that cannot have been written.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// What was not read yet.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func take(_ count: Int) throws(MalformedData) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - position else { throw MalformedData() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(MalformedData) -> Number
    {
        try take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
