extension Kind<JSONValue> {
    /// Any value, null included.
    public static let anything = Kind(expected: "a value", schema: [:], reading: { $0 }, writing: { $0 })
}

extension Kind<Bool> {
    public static let boolean = Kind(
        expected: "true or false", schema: ["type": "boolean"], reading: { $0.boolValue }, writing: { .bool($0) }
    ).inRange(.toggle)
}

extension Kind<Int> {
    /// Any whole number of 64 bits; 4.0 is one.
    public static let integer = Kind(
        expected: "an integer", schema: ["type": "integer"], reading: { $0.intValue }, writing: { .integer($0) })

    /// A whole number in a range; 4.0 is one.
    public static func integer(in range: ClosedRange<Int>) -> Kind {
        Kind(
            expected: "an integer from \(range.lowerBound) to \(range.upperBound)",
            schema: [
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ],
            reading: { value in value.intValue.flatMap { range.contains($0) ? $0 : nil } },
            writing: { .integer($0) }
        ).inRange(.integer(range))
    }

    /// This number only.
    public static func constant(_ value: Int) -> Kind {
        Kind(
            expected: "\(value)", schema: ["const": .integer(value)],
            reading: { $0.intValue == value ? value : nil }, writing: { .integer($0) })
    }
}

extension Kind<Int?> {
    /// A whole number of 64 bits, or null.
    public static let integerOrNull = Kind(
        expected: "an integer or null", schema: ["type": ["integer", "null"]],
        reading: { (value: JSONValue) -> Int?? in
            value.isNull ? .some(nil) : value.intValue.map { .some($0) }
        }, writing: { $0.map { .integer($0) } ?? .null })
}

extension Kind<Double> {
    public static let number = Kind(
        expected: "a number", schema: ["type": "number"], reading: { $0.doubleValue }, writing: { .number($0) })

    public static func number(in range: ClosedRange<Double>) -> Kind {
        let bounds = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
        return Kind(
            expected: "a number from \(bounds.0.text) to \(bounds.1.text)",
            schema: ["type": "number", "minimum": bounds.0, "maximum": bounds.1],
            reading: { value in value.doubleValue.flatMap { range.contains($0) ? $0 : nil } },
            writing: { .number($0) }
        ).inRange(.number(range))
    }
}

extension Kind<String> {
    /// Any text.
    public static let string = Kind(
        expected: "a string", schema: ["type": "string"], reading: { $0.stringValue }, writing: { .string($0) })

    /// This text only.
    public static func constant(_ value: String) -> Kind {
        Kind(
            expected: "\"\(value)\"", schema: ["const": .string(value)],
            reading: { $0 == .string(value) ? value : nil }, writing: { .string($0) })
    }
}

extension Kind<JSONObject> {
    public static let object = Kind(
        expected: "an object", schema: ["type": "object"], reading: { $0.objectValue }, writing: { .object($0) })
}

extension Kind<Void> {
    /// `{}`; when read, any object, its members ignored.
    public static let nothing = Kind(
        expected: "an object", schema: ["type": "object", "maxProperties": 0],
        reading: { $0.objectValue.map { _ in } }, writing: { _ in .object([:]) })
}
