import JSON

/// What ties a response to its request: a string, a number or null, sent back as it came.
public enum RequestID: Hashable, Sendable {
    case integer(Int)
    /// A number with a fraction or beyond 64 bits.
    case number(Double)
    case string(String)
    /// Of a request that asked so, or of one whose id is not known.
    case null

    /// The id that a JSON value is, nil for a boolean, an array or an object, which are none.
    public init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .string(let string): self = .string(string)
        case .bool, .array, .object: return nil
        }
    }

    /// The id as JSON.
    public var json: JSONValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .string(let string): .string(string)
        case .null: .null
        }
    }
}
