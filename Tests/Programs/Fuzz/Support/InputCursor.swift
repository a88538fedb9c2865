/// Reads an input piece by piece; beyond its end everything is 0.
struct InputCursor {
    private var rest: ArraySlice<UInt8>

    init(_ input: UnsafeRawBufferPointer) {
        rest = Array(input)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A block that begins with its length, in two bytes.
    mutating func block() -> [UInt8] {
        let length = Int(byte()) | Int(byte()) << 8
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }
}
