extension Kind {
    /// One of a few values, each with a name.
    public static func one(of values: [Value], named name: @escaping @Sendable (Value) -> String) -> Kind {
        let names = values.map(name)
        let byName = Dictionary(uniqueKeysWithValues: zip(names.map { ExactText($0) }, values))
        return Kind(
            expected: "one of " + names.joined(separator: ", "),
            schema: ["type": "string", "enum": .array(names.map { .string($0) })],
            reading: { value in value.stringValue.flatMap { byName[ExactText($0)] } },
            writing: { .string(name($0)) }
        ).inRange(.choice(names))
    }

    /// An array with elements of one kind.
    ///
    /// - Parameter count: The allowed numbers of elements, nil for any.
    public static func array<Element>(
        of element: Kind<Element>, count: ClosedRange<Int>? = nil
    ) -> Kind where Value == [Element] {
        let size = count.map { " of \($0.lowerBound) to \($0.upperBound) elements" } ?? ""
        var schema: JSONObject = ["type": "array", "items": .object(element.schema.json)]
        if let count {
            schema["minItems"] = .integer(count.lowerBound)
            schema["maxItems"] = .integer(count.upperBound)
        }
        return Kind(
            expected: "an array\(size), each element \(element.expected)",
            schema: Schema(schema, containing: [element.schema]),
            throwing: { (value) throws(FieldError) in
                guard let elements = value.arrayValue else {
                    throw FieldError(expected: "an array\(size)", found: value)
                }
                guard count?.contains(elements.count) != false else {
                    throw FieldError(field: "", expected: "an array\(size)", got: "an array of \(elements.count)")
                }
                var result: [Element] = []
                result.reserveCapacity(elements.count)
                for (index, json) in elements.enumerated() {
                    do throws(FieldError) {
                        result.append(try element.value(of: json))
                    } catch {
                        throw error.inside("[\(index)]")
                    }
                }
                return result
            }, writing: { .array($0.map { element.json(of: $0) }) })
    }

    /// An object that functions read and write.
    public static func object(
        schema: Schema, reading read: @escaping @Sendable (Fields) throws(FieldError) -> Value,
        writing write: @escaping @Sendable (Value) -> JSONObject
    ) -> Kind {
        Kind(
            expected: "an object", schema: schema,
            throwing: { (value) throws(FieldError) in try read(Fields(object: value)) },
            writing: { .object(write($0)) })
    }
}

extension Kind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of an enumeration's values.
    public static var choice: Kind { one(of: Array(Value.allCases)) { $0.rawValue } }
}
