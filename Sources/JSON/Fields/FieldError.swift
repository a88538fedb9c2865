/// An invalid value, or an invalid member inside of one.
public struct FieldError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Equatable, Sendable {
        /// One thing was expected and another found, both in words; `nothing` when it is missing.
        case unexpected(expected: String, got: String)
        /// Anything else, in words: `12 is a bar separator`.
        case invalid(String)
    }

    /// Where, as a path from the value that was read: `bpm`, `touch.cellPixels`, `topics[2]`; empty for the whole.
    public var field: String
    public var problem: Problem

    /// A field that is wrong.
    public init(field: String, problem: Problem) {
        self.field = field
        self.problem = problem
    }

    /// An invalid field.
    public init(field: String, expected: String, got: String) {
        self.init(field: field, problem: .unexpected(expected: expected, got: got))
    }

    /// A field whose value is invalid or missing.
    public init(field: String = "", expected: String, found value: JSONValue?) {
        self.init(field: field, expected: expected, got: value?.inWords ?? "nothing")
    }

    /// The problem without the place: `expected a number from 20 to 300, got "fast"`
    public var message: String {
        switch problem {
        case .unexpected(let expected, let got): "expected \(expected), got \(got)"
        case .invalid(let message): message
        }
    }

    /// `bpm: expected a number from 20 to 300, got "fast"`
    public var description: String { field.isEmpty ? message : "\(field): \(message)" }

    /// The error as seen from the value that a member (`col`) or an element (`[3]`) is part of.
    public func inside(_ step: String) -> FieldError {
        let separator = field.isEmpty || field.hasPrefix("[") ? "" : "."
        return FieldError(field: step + separator + field, problem: problem)
    }
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
    public func shortened(to limit: Int) -> String {
        // By scalars: a client may send one character of half a megabyte.
        unicodeScalars.count <= limit ? self : String(unicodeScalars.prefix(limit)) + "…"
    }
}
