/// Finds input that makes the parser, toml++, crash or misread a file: a table header without a key, a time without
/// digits, and the character 0, which would end a string. No setting needs any of these.
struct TOMLPrecheck {
    struct Trap: Equatable {
        /// From 1.
        var line: Int
        var problem: String
    }

    /// The first trap, nil if there is none.
    private(set) var first: Trap?

    private var rest: Substring.UTF8View
    private var line = 1

    /// Scans a text up to its first syntax error, where the parser stops too.
    init(in text: String) {
        rest = text[...].utf8
        var isAtLineStart = true
        while first == nil, let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                isAtLineStart = true
                rest.removeFirst()
                continue
            case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(in: byte)
            case UInt8(ascii: "[") where isAtLineStart: checkHeader()
            case UInt8(ascii: "0")...UInt8(ascii: "9"): checkNumber()
            default: rest.removeFirst()
            }
            isAtLineStart = isAtLineStart && Self.isBlank(byte)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        rest = rest.drop(while: isSkipped)
    }

    private mutating func checkHeader() {
        rest.removeFirst()
        skip(while: Self.isBlank)
        if rest.first == UInt8(ascii: "[") { rest.removeFirst() }
        skip(while: Self.isBlank)
        switch rest.first.map({ Unicode.Scalar($0) }) ?? "\n" {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'", "]": break
        default: first = Trap(line: line, problem: "a key was expected after [")
        }
    }

    private mutating func checkNumber() {
        rest.removeFirst()
        guard rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: ":") else { return }
        first = Trap(line: line, problem: "no value here is a date or a time")
    }

    private mutating func skipString(in quote: UInt8) {
        let isLong = rest.starts(with: [quote, quote, quote])
        rest.removeFirst(isLong ? 3 : 1)
        while let byte = rest.first {
            if isLong ? rest.starts(with: [quote, quote, quote]) : byte == quote {
                rest.removeFirst(isLong ? 3 : 1)
                // Up to two quotes may precede the three that end a long string.
                if isLong { skip { $0 == quote } }
                return
            }
            if byte == UInt8(ascii: "\n") {
                guard isLong else { return }
                line += 1
            }
            rest.removeFirst()
            guard byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") else { continue }
            if rest.starts(with: "u0000".utf8) || rest.starts(with: "U00000000".utf8) {
                first = Trap(line: line, problem: "the character 0 (\\u0000) is not allowed in a string")
                return
            }
            if rest.first == quote || rest.first == byte { rest.removeFirst() }
        }
    }
}
