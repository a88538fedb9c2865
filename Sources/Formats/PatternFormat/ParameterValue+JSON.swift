import JSON
import Music

extension ParameterValue {
    /// The value of a number, a boolean, a name or an array of names; nil for other JSON.
    public init?(_ json: JSONValue) {
        switch json {
        case .integer(let integer): self = .number(Double(integer))
        case .number(let number): self = .number(number)
        case .bool(let isOn): self = .toggle(isOn)
        case .string(let text) where text.isShort: self = .choice(text)
        case .array(let items):
            let names = items.compactMap(\.stringValue)
            guard names.count == items.count, names.allSatisfy(\.isShort) else { return nil }
            self = .selection(names)
        case .null, .string, .object: return nil
        }
    }

    public var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .bool(isOn)
        case .choice(let name): .string(name)
        case .selection(let names): .array(names.map { .string($0) })
        }
    }
}

extension String {
    /// Whether it may be a name: none is longer than a file name, and some long texts take minutes to compare.
    fileprivate var isShort: Bool { utf8.count <= String.longestFileName }
}

extension Kind<ParameterValue> {
    /// The values that a parameter may have, numbers rounded to their precision.
    public static func values(_ values: ParameterKind) -> Kind {
        Kind(
            expected: values.expected, schema: Schema(values.schema),
            reading: { json in ParameterValue(json).flatMap(values.checked) }, writing: { $0.json })
    }
}

extension ParameterKind {
    /// The values as a JSON Schema, with their unit.
    var schema: JSONObject {
        var schema = valuesSchema
        switch self {
        case .number(_, let unit, _, _), .integer(_, let unit), .numbers(_, let unit):
            if unit != .none { schema["x-unit"] = .string(unit.rawValue) }
        case .toggle, .choice, .name, .selection: break
        }
        return schema
    }

    private var valuesSchema: JSONObject {
        switch self {
        case .number(let range, _, _, _):
            ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .integer(let range, _):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .numbers(let numbers, _): ["type": "integer", "enum": .array(numbers.map { .integer($0) })]
        case .toggle: ["type": "boolean"]
        case .choice(let names): ["type": "string", "enum": .array(names.map { .string($0) })]
        case .name(let names):
            [
                "type": "string", "minLength": 1, "maxLength": 64, "pattern": .string(Schema.fileNamePattern),
                "examples": .array(names.map { .string($0) }),
            ]
        case .selection(let names):
            [
                "type": "array", "items": ["type": "string", "enum": .array(names.map { .string($0) })],
                "uniqueItems": true,
            ]
        }
    }
}

extension Schema {
    /// The regular expression of file names.
    public static let fileNamePattern = "^[^./\\u0000-\\u001f\\u007f-\\u009f][^/\\u0000-\\u001f\\u007f-\\u009f]*$"
}
