import JSON

/// A parameter, or a member of a message, that is not what it should be.
public struct FieldError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name, with the names it is inside of: `bpm`, `touch.cellPixels`, `topics[2]`.
    public var field: String
    /// What it should be, in words.
    public var expected: String
    /// What it is, in words; `nothing` when missing.
    public var got: String

    /// A field that is not what it should be.
    public init(field: String, expected: String, got: String) {
        self.field = field
        self.expected = expected
        self.got = got
    }

    init(field: String, expected: String, got value: JSONValue?) {
        self.init(field: field, expected: expected, got: value?.inWords ?? "nothing")
    }

    /// The error as seen from one level higher.
    func inside(_ place: String) -> FieldError {
        let separator = field.isEmpty || field.hasPrefix("[") ? "" : "."
        return FieldError(field: place + separator + field, expected: expected, got: got)
    }

    /// `bpm: expected a number from 20 to 300, got "fast"`
    public var description: String { "\(field): expected \(expected), got \(got)" }
}

extension JSONValue {
    /// The value for an error message: as JSON, strings cut short, of arrays and objects the kind only.
    var inWords: String {
        switch self {
        case .array, .object: kind
        case .string(let string): JSONValue.string(string.shortened(to: 40)).text
        case .null, .bool, .integer, .number: text
        }
    }
}

extension String {
    /// The first so many characters, with an ellipsis where some are left out.
    func shortened(to limit: Int) -> String {
        // By scalars: a client may send one character of half a megabyte.
        unicodeScalars.count <= limit ? self : String(unicodeScalars.prefix(limit)) + "…"
    }
}
