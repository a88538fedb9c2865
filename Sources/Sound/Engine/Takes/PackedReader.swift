/// Reads the numbers of which takes are made; nil, and never a trap, where bytes are missing or cannot have been written.
package struct PackedReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    /// The index of the next byte.
    package private(set) var place: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    package var isAtEnd: Bool { place == bytes.endIndex }

    /// What has not been read.
    package var remaining: ArraySlice<UInt8> { bytes[place...] }

    package mutating func byte() -> UInt8? {
        guard place < bytes.endIndex else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.endIndex - place else { return nil }
        defer { place += count }
        return bytes[place..<place + count]
    }

    /// Seven bits a byte, the lowest first (LEB128).
    package mutating func number() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            // The tenth byte has room for one bit.
            guard shift < 63 || byte <= 1 else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    package mutating func count() -> Int? { number().flatMap { Int(exactly: $0) } }

    /// A number whose sign is its lowest bit.
    package mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// A number as it is in memory.
    package mutating func double() -> Double? {
        bytes(8).map { Double(bitPattern: $0.reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
    }
}
