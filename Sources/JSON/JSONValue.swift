/// A JSON text's value (RFC 8259). Objects keep the order of their members; of equal names the last one counts.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Equatable {
    /// Whether both say the same: 4 and 4.0 are equal, and so are objects whose members differ in order only.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
            number.exactInteger == integer
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

// MARK: What a value is, for code that reads messages and files

extension JSONValue {
    /// What kind of value this is, in words for error messages: `a string`, `an array`, `null`.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The boolean, nil for any other kind.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number if it is whole and fits 64 bits (4.0 is the integer 4), nil for anything else.
    public var intValue: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): value.exactInteger
        default: nil
        }
    }

    /// The number, integers rounded to the nearest double; nil for any other kind.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The string, nil for any other kind.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The array's elements, nil for any other kind.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, nil for any other kind.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension Double {
    /// The number as an integer if it is whole and fits. `Int(exactly:)` would need the C library's `trunc`.
    fileprivate var exactInteger: Int? {
        guard self >= -0x1p63, self < 0x1p63 else { return nil }
        let integer = Int(self)
        return Double(integer) == self ? integer : nil
    }
}

// MARK: Literals

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object; of equal names the last one counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.map { .init(name: $0, value: $1) }))
    }
}
