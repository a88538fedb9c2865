extension JSONValue {
    /// The value in as few bytes as possible, on one line.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendJSON(self)
        return bytes
    }

    /// The value in as few characters as possible, on one line.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

// No appended bytes hold a newline, so that each value is one line.
extension [UInt8] {
    /// Appends a value without white space.
    public mutating func appendJSON(_ value: JSONValue) {
        switch value {
        case .null: append(contentsOf: "null".utf8)
        case .bool(let value): append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): appendJSON(value)
        case .number(let value): appendJSON(value)
        case .string(let value): appendJSON(value)
        case .array(let elements): appendJSON(elements)
        case .object(let object): appendJSON(object)
        }
    }

    /// Appends an array without white space.
    public mutating func appendJSON(_ elements: [JSONValue]) {
        append(.openBracket)
        for (index, element) in elements.enumerated() {
            if index > 0 { append(.comma) }
            appendJSON(element)
        }
        append(.closeBracket)
    }

    /// Appends an object without white space.
    public mutating func appendJSON(_ object: JSONObject) {
        append(.openBrace)
        for (index, member) in object.members.enumerated() {
            if index > 0 { append(.comma) }
            appendJSON(member.name)
            append(.colon)
            appendJSON(member.value)
        }
        append(.closeBrace)
    }

    public mutating func appendJSON(_ integer: Int) {
        if integer < 0 { append(.minus) }
        var digits = InlineArray<20, UInt8>(repeating: .zero)
        var first = digits.endIndex
        var rest = integer.magnitude
        repeat {
            first -= 1
            digits[first] += UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        for index in first..<digits.endIndex { append(digits[index]) }
    }

    /// Appends a number in the fewest digits that read back as the same double, without a fraction if whole; infinity
    /// and NaN, which JSON lacks, as `null`.
    public mutating func appendJSON(_ number: Double) {
        guard number.isFinite else {
            append(contentsOf: "null".utf8)
            return
        }
        append(contentsOf: number.description.utf8)
        if suffix(2).elementsEqual(".0".utf8) { removeLast(2) }
    }

    /// Appends bytes as a string in base64 (RFC 4648).
    public mutating func appendJSON(base64 bytes: [UInt8]) {
        let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        append(.quote)
        let start = count
        append(contentsOf: repeatElement(UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4))
        withUnsafeMutableBytes { line in
            bytes.withUnsafeBytes { bytes in
                for group in 0..<(bytes.count + 2) / 3 {
                    let (first, place) = (3 * group, start + 4 * group)
                    var bits = UInt32(bytes[first]) << 16
                    if first + 1 < bytes.count { bits |= UInt32(bytes[first + 1]) << 8 }
                    if first + 2 < bytes.count { bits |= UInt32(bytes[first + 2]) }
                    for digit in 0..<Swift.min(4, bytes.count - first + 1) {
                        line[place + digit] = digits.utf8Start[Int(bits >> (18 - 6 * UInt32(digit)) & 63)]
                    }
                }
            }
        }
        append(.quote)
    }

    /// Appends a string in quotes, with control characters, quotes and backslashes escaped.
    public mutating func appendJSON(_ string: String) {
        append(.quote)
        for byte in string.utf8 {
            switch byte {
            case .quote, .backslash: append(contentsOf: [.backslash, byte])
            case .newline: append(contentsOf: "\\n".utf8)
            case .return: append(contentsOf: "\\r".utf8)
            case .tab: append(contentsOf: "\\t".utf8)
            case 0..<(.space): appendEscape(byte)
            default: append(byte)
            }
        }
        append(.quote)
    }

    private mutating func appendEscape(_ control: UInt8) {
        append(contentsOf: "\\u00".utf8)
        for digit in [control >> 4, control & 15] {
            append(digit < 10 ? .zero + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
