import Engine

/// Bytes of a take that cannot have been written.
public struct MalformedTake: Error, Equatable {
    public init() {}
}

/// Builds the compact form in which takes keep values: small numbers take few bytes.
struct CompactWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Seven bits a byte, the lowest first (LEB128).
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(_ number: Int) { write(UInt64(number)) }

    /// A number that may be negative: its sign is the lowest bit.
    mutating func write(signed number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// A number as it is, bit for bit: most are whole multiples of a decimal fraction or a controller's, which take few bytes.
    mutating func write(exact number: Double) {
        for (index, scale) in scales.enumerated() {
            let scaled = (number * scale).rounded()
            guard scaled.magnitude < 1e12 else { continue }
            let integer = Int64(scaled)
            guard (Double(integer) / scale).bitPattern == number.bitPattern else { continue }
            let zigzag = UInt64(bitPattern: integer << 1 ^ integer >> 63)
            return write(zigzag << 3 | UInt64(index))
        }
        write(7 as UInt64)
        for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * byte))) }
    }

    mutating func write(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}

/// Numbers are tried as whole multiples of one over each of these.
private let scales: [Double] = [1, 10, 100, 1000, 127, 1270, 12700]

private func whole<Value>(_ value: Value?) throws(MalformedTake) -> Value {
    guard let value else { throw MalformedTake() }
    return value
}

/// Reads what ``CompactWriter`` wrote; throws, and never traps, on anything else.
struct CompactReader {
    private var reader: PackedReader

    init(_ bytes: ArraySlice<UInt8>) { reader = PackedReader(bytes) }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var isAtEnd: Bool { reader.isAtEnd }

    /// What has not been read.
    var remaining: ArraySlice<UInt8> { reader.remaining }

    mutating func byte() throws(MalformedTake) -> UInt8 { try whole(reader.byte()) }

    mutating func bytes(_ count: Int) throws(MalformedTake) -> ArraySlice<UInt8> { try whole(reader.bytes(count)) }

    mutating func number() throws(MalformedTake) -> UInt64 { try whole(reader.number()) }

    mutating func signed() throws(MalformedTake) -> Int64 { try whole(reader.signed()) }

    /// A number within a range.
    mutating func integer(in range: Range<Int>) throws(MalformedTake) -> Int {
        guard let number = Int(exactly: try number()), range.contains(number) else { throw MalformedTake() }
        return number
    }

    /// A signed number within a range.
    mutating func signed(in range: ClosedRange<Int64>) throws(MalformedTake) -> Int64 {
        let number = try signed()
        guard range.contains(number) else { throw MalformedTake() }
        return number
    }

    /// A text.
    ///
    /// - Parameter limit: Bytes that it has at most.
    mutating func text(limit: Int = 4096) throws(MalformedTake) -> String {
        let count = try integer(in: 0..<limit + 1)
        guard let text = String(validating: try bytes(count), as: UTF8.self) else { throw MalformedTake() }
        return text
    }

    mutating func exact() throws(MalformedTake) -> Double {
        let coded = try number()
        guard coded & 7 < 7 else { return try whole(reader.double()) }
        let zigzag = coded >> 3
        let integer = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
        return Double(integer) / scales[Int(coded & 7)]
    }

    /// A finite number within a range.
    mutating func exact(in range: ClosedRange<Double>) throws(MalformedTake) -> Double {
        let number = try exact()
        // Comparisons with NaN are false.
        guard range.contains(number) else { throw MalformedTake() }
        return number
    }
}
