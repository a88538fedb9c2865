import JSON

/// What values a field may have: how to read them, and how to say so to people (words) and programs (JSON Schema).
public struct Kind<Value: Sendable>: Sendable {
    /// The values in words, as in `expected a number from 20 to 300`.
    public let expected: String
    /// The values as a JSON Schema.
    public let schema: JSONObject

    /// Whether the values name files of the daemon's machine, which is nothing for clients of other machines.
    public private(set) var namesFile = false

    private let read: @Sendable (JSONValue, _ field: String) throws(FieldError) -> Value

    /// A kind that is read by a function that names the field in its errors.
    public init(
        expected: String, schema: JSONObject,
        reading read: @escaping @Sendable (JSONValue, _ field: String) throws(FieldError) -> Value
    ) {
        self.expected = expected
        self.schema = schema
        self.read = read
    }

    /// A kind that is read by a function that returns nil for what it does not accept.
    public init(expected: String, schema: JSONObject, reading read: @escaping @Sendable (JSONValue) -> Value?) {
        self.init(expected: expected, schema: schema) { (value, field) throws(FieldError) in
            guard let result = read(value) else { throw FieldError(field: field, expected: expected, got: value) }
            return result
        }
    }

    /// The value of a field.
    public func value(of json: JSONValue, field: String) throws(FieldError) -> Value {
        try read(json, field)
    }

    /// The same values, said with other words and, where a number's range or the like is not all, more schema.
    public func described(as schema: JSONObject) -> Kind {
        var merged = self.schema
        for member in schema.members { merged[member.name] = member.value }
        var kind = Kind(expected: expected, schema: merged, reading: read)
        kind.namesFile = namesFile
        return kind
    }

    /// The same values, which name files of the daemon's machine.
    public func namingFiles() -> Kind {
        var kind = self
        kind.namesFile = true
        return kind
    }

    /// The values that a function can make something of.
    ///
    /// - Parameters:
    ///   - expected: What is then accepted, in words.
    ///   - transform: Returns nil for what it does not accept.
    public func refined<Refined>(
        expected: String, _ transform: @escaping @Sendable (Value) -> Refined?
    ) -> Kind<Refined> {
        var kind = Kind<Refined>(expected: expected, schema: schema) { [read] (json, field) throws(FieldError) in
            guard let value = try? read(json, field), let refined = transform(value) else {
                throw FieldError(field: field, expected: expected, got: json)
            }
            return refined
        }
        kind.namesFile = namesFile
        return kind
    }
}

extension Kind<JSONValue> {
    /// Any value, null included.
    public static let anything = Kind(expected: "a value", schema: [:]) { value in value }
}

extension Kind<Bool> {
    /// `true` or `false`.
    public static let boolean = Kind(expected: "true or false", schema: ["type": "boolean"]) { $0.boolValue }
}

extension Kind<Int> {
    /// Any whole number of 64 bits; 4.0 is one.
    public static let integer = Kind(expected: "an integer", schema: ["type": "integer"]) { $0.intValue }

    /// A whole number in a range; 4.0 is one.
    public static func integer(in range: ClosedRange<Int>) -> Kind {
        Kind(
            expected: "an integer from \(range.lowerBound) to \(range.upperBound)",
            schema: [
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        ) { value in
            value.intValue.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Kind<Double> {
    /// Any number.
    public static let number = Kind(expected: "a number", schema: ["type": "number"]) { $0.doubleValue }

    /// A number in a range.
    public static func number(in range: ClosedRange<Double>) -> Kind {
        let bounds = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
        return Kind(
            expected: "a number from \(bounds.0.text) to \(bounds.1.text)",
            schema: ["type": "number", "minimum": bounds.0, "maximum": bounds.1]
        ) { value in
            value.doubleValue.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Kind<String> {
    /// Any text.
    public static let string = Kind(expected: "a string", schema: ["type": "string"]) { $0.stringValue }
}

extension Kind<JSONObject> {
    /// Any object.
    public static let object = Kind(expected: "an object", schema: ["type": "object"]) { $0.objectValue }
}
