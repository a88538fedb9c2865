extension JSONValue {
    /// How many levels of nested arrays and objects are read by default.
    public static let defaultMaximumDepth = 64

    /// Reads a whole text: one value, surrounded by white space at most.
    ///
    /// Strict: any violation of RFC 8259 is an error, and so are bytes that are not UTF-8, lone surrogates, and numbers
    /// beyond the range of a double.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8, without a byte order mark.
    ///   - maximumDepth: Accepted levels of nesting; also bounds the stack.
    public init(parsing bytes: Span<UInt8>, maximumDepth: Int = defaultMaximumDepth) throws(JSONError) {
        let result = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer, maximumDepth: maximumDepth)
            return Result { () throws(JSONError) in try parser.parseText() }
        }
        self = try result.get()
    }

    /// See ``init(parsing:maximumDepth:)``.
    public init(parsing bytes: some Collection<UInt8>, maximumDepth: Int = defaultMaximumDepth) throws(JSONError) {
        let inPlace = bytes.withContiguousStorageIfAvailable { buffer in
            Result { () throws(JSONError) in try JSONValue(parsing: buffer.span, maximumDepth: maximumDepth) }
        }
        if let inPlace {
            self = try inPlace.get()
        } else {
            self = try JSONValue(parsing: Array(bytes).span, maximumDepth: maximumDepth)
        }
    }

    /// See ``init(parsing:maximumDepth:)``.
    public init(parsing text: String, maximumDepth: Int = defaultMaximumDepth) throws(JSONError) {
        try self.init(parsing: text.utf8, maximumDepth: maximumDepth)
    }
}

/// A position in a text; each `parse` function starts at its value's first byte and ends after its last.
///
/// Holds a pointer, because storing a span needs lifetime annotations, which are experimental. It is read only by
/// ``next``, which checks the end, and at and between positions that `next` has passed.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    var position = 0
    private var depth = 0

    init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// The byte at the position, nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips a byte if it comes next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhiteSpace() {
        while let byte = next, byte <= .space, byte == .space || byte == .newline || byte == .tab || byte == .return {
            position += 1
        }
    }

    func failure(_ expected: String) -> JSONError { JSONError(offset: position, expected: expected) }

    mutating func parseText() throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        let value = try parseValue()
        skipWhiteSpace()
        guard next == nil else { throw failure("the end of the text") }
        return value
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        switch next {
        case .quote: return .string(try parseString())
        case .openBrace: return .object(try parseObject())
        case .openBracket: return .array(try parseArray())
        case .some(.minus), .some(.zero ... .nine): return try parseNumber()
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        default: throw failure("a value")
        }
    }

    private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let start = position
        for byte in word.description.utf8 {
            guard skip(byte) else { throw JSONError(offset: start, expected: word.description) }
        }
        return value
    }

    private mutating func enter() throws(JSONError) {
        guard depth < maximumDepth else { throw failure("at most \(maximumDepth) levels of nesting") }
        depth += 1
        position += 1
        skipWhiteSpace()
    }

    private mutating func parseArray() throws(JSONError) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if skip(.closeBracket) { return elements }
        while true {
            elements.append(try parseValue())
            skipWhiteSpace()
            if skip(.closeBracket) { return elements }
            guard skip(.comma) else { throw failure("a comma or ]") }
            skipWhiteSpace()
        }
    }

    private mutating func parseObject() throws(JSONError) -> JSONObject {
        try enter()
        defer { depth -= 1 }
        var members: [JSONObject.Member] = []
        if skip(.closeBrace) { return JSONObject() }
        members.reserveCapacity(4)
        while true {
            members.append(try parseMember())
            skipWhiteSpace()
            if skip(.closeBrace) { return JSONObject(members) }
            guard skip(.comma) else { throw failure("a comma or }") }
            skipWhiteSpace()
        }
    }

    private mutating func parseMember() throws(JSONError) -> JSONObject.Member {
        guard next == .quote else { throw failure("a name in quotes") }
        let name = try parseString()
        skipWhiteSpace()
        guard skip(.colon) else { throw failure("a colon") }
        skipWhiteSpace()
        return JSONObject.Member(name: name, value: try parseValue())
    }
}

extension JSONParser {
    /// A number: an integer if written as one and it fits, else the nearest double.
    mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = skip(.minus)
        try skipDigits(leadingZeros: false)
        var isInteger = true
        if skip(.point) {
            isInteger = false
            try skipDigits(leadingZeros: true)
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(.minus) { _ = skip(UInt8(ascii: "+")) }
            try skipDigits(leadingZeros: true)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        // Only a double can be -0.
        if isInteger, let integer = Int(text), !(isNegative && integer == 0) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw JSONError(offset: start, expected: "a number within the range of a double")
        }
        return .number(number)
    }

    private mutating func skipDigits(leadingZeros: Bool) throws(JSONError) {
        let first = position
        while let byte = next, (.zero ... .nine).contains(byte) { position += 1 }
        guard position > first else { throw failure("a digit") }
        if !leadingZeros, position > first + 1, bytes[first] == .zero {
            throw JSONError(offset: first + 1, expected: "no digit after a leading zero")
        }
    }
}

/// The place at which a text stops being JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of bytes before the place.
    public let offset: Int
    /// What would have been valid there.
    public let expected: String

    public init(offset: Int, expected: String) {
        self.offset = offset
        self.expected = expected
    }

    /// `byte 12: expected a value`
    public var description: String { "byte \(offset): expected \(expected)" }
}

// The characters of JSON's grammar.
extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let `return` = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let minus = UInt8(ascii: "-")
    static let point = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
}
