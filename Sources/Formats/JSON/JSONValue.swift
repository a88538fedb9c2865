/// The value of a JSON text (RFC 8259). Objects keep the order of their members; the last of equal names counts.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction or exponent that fits into 64 bits.
    case integer(Int)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Equatable {
    /// 4 and 4.0 are equal, and so are objects whose members differ only in order. Strings are compared as
    /// ``ExactText``.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
            number.exactInteger == integer
        case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

// MARK: Values by type

extension JSONValue {
    /// The kind of value, in words for error messages: `a string`, `an array`, `null`.
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

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The boolean, nil for any other kind.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number if it is whole and fits into 64 bits (4.0 is the integer 4), else nil.
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
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object; the last of equal names counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.map { .init(name: $0, value: $1) }))
    }
}

// JSON merge patches, RFC 7386: an object with the changes, null for removed members.

extension JSONValue {
    /// The merge patch that turns one value into another; `{}` if both are equal objects.
    ///
    /// A patch cannot set a member to null: if `new` holds null in an object, applying the patch removes the member.
    public static func mergePatch(from old: JSONValue, to new: JSONValue) -> JSONValue {
        guard case .object(let old) = old, case .object(let new) = new else { return new }
        var changes: [JSONObject.Member] = []
        for member in old.members where new[member.name] == nil {
            changes.append(.init(name: member.name, value: .null))
        }
        for member in new.members {
            guard let oldValue = old[member.name] else {
                changes.append(member)
                continue
            }
            guard oldValue != member.value else { continue }
            changes.append(.init(name: member.name, value: mergePatch(from: oldValue, to: member.value)))
        }
        return .object(JSONObject(changes))
    }

    /// This value as a merge patch changes it.
    public func applying(_ patch: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        var result = objectValue ?? JSONObject()
        for member in patch.members {
            result[member.name] =
                member.value.isNull ? nil : (result[member.name] ?? .null).applying(member.value)
        }
        return .object(result)
    }
}
