/// An invalid value, or an invalid member inside of one.
public struct FieldError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Problem: Equatable, Sendable {
        /// One thing was expected and another found, both in words; `nothing` if missing.
        case unexpected(expected: String, got: String)
        /// Anything else, in words: `12 is a bar separator`.
        case invalid(String)
    }

    /// Its path from the value that was read: `bpm`, `touch.cellPixels`, `topics[2]`; empty for the whole value.
    public var field: String
    public var problem: Problem

    public init(field: String, problem: Problem) {
        self.field = field
        self.problem = problem
    }

    public init(field: String, expected: String, got: String) {
        self.init(field: field, problem: .unexpected(expected: expected, got: got))
    }

    /// A field whose value is invalid or missing.
    public init(field: String = "", expected: String, found value: JSONValue?) {
        self.init(field: field, expected: expected, got: value?.inWords ?? "nothing")
    }

    /// The problem without the path: `expected a number from 20 to 300, got "fast"`
    public var message: String {
        switch problem {
        case .unexpected(let expected, let got): "expected \(expected), got \(got)"
        case .invalid(let message): message
        }
    }

    /// `bpm: expected a number from 20 to 300, got "fast"`
    public var description: String { field.isEmpty ? message : "\(field): \(message)" }

    /// The error as seen from the value that contains the field as a member (`col`) or an element (`[3]`).
    public func inside(_ step: String) -> FieldError {
        let separator = field.isEmpty || field.utf8.first == UInt8(ascii: "[") ? "" : "."
        return FieldError(field: step + separator + field, problem: problem)
    }
}

extension JSONValue {
    /// The value for an error message: as JSON, with strings shortened; for arrays and objects just the kind.
    var inWords: String {
        switch self {
        case .array, .object: kind
        case .string(let string): JSONValue.string(string.shortened(to: 40)).text
        case .null, .bool, .integer, .number: text
        }
    }
}

extension String {
    /// At most this many characters, with an ellipsis if some are left out.
    public func shortened(to limit: Int) -> String {
        // By scalars: a client may send one character of half a megabyte.
        unicodeScalars.count <= limit ? self : String(unicodeScalars.prefix(limit)) + "…"
    }
}
