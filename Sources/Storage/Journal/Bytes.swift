/// Bytes that are not what they were written as.
struct MalformedData: Error, Equatable {}

/// Something with a binary form.
protocol Storable {
    /// Appends the binary form.
    func write(to writer: inout ByteWriter)
    /// Reads back what ``write(to:)`` wrote.
    init(from reader: inout ByteReader) throws(MalformedData)
}

/// Builds a binary form; numbers are little-endian.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

    mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func write(_ values: [some Storable]) {
        write(UInt32(values.count))
        for value in values { value.write(to: &self) }
    }

    mutating func write(_ value: (some Storable)?) {
        write(value != nil)
        value?.write(to: &self)
    }
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

    mutating func take(_ count: Int) throws(MalformedData) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - position else { throw MalformedData() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(MalformedData) -> Number
    {
        try take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// A number, clamped into a range: what was once accepted must not make a whole file unreadable.
    mutating func number(in range: ClosedRange<Double>) throws(MalformedData) -> Double {
        let value = Double(bitPattern: try integer())
        return value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
    }

    mutating func flag() throws(MalformedData) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw MalformedData()
        }
    }

    mutating func text() throws(MalformedData) -> String {
        let bytes = try take(Int(integer(UInt32.self)))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw MalformedData() }
        return text
    }

    /// One of the cases of an enumeration, stored as a byte.
    mutating func choice<Choice: RawRepresentable<Int>>(_ type: Choice.Type = Choice.self) throws(MalformedData)
        -> Choice
    {
        guard let choice = Choice(rawValue: Int(try integer(UInt8.self))) else { throw MalformedData() }
        return choice
    }

    mutating func values<Value: Storable>(atMost limit: Int) throws(MalformedData) -> [Value] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw MalformedData() }
        var values: [Value] = []
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }

    mutating func optional<Value: Storable>() throws(MalformedData) -> Value? {
        try flag() ? try Value(from: &self) : nil
    }
}
