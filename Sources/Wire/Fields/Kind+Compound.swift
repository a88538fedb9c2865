import JSON

extension Kind {
    /// One of a few values, each with a name.
    public static func one(of values: [Value], named name: (Value) -> String) -> Kind {
        let names = values.map(name)
        let byName = Dictionary(uniqueKeysWithValues: zip(names, values))
        return Kind(
            expected: "one of " + names.joined(separator: ", "),
            schema: ["type": "string", "enum": .array(names.map { .string($0) })]
        ) { value in
            value.stringValue.flatMap { byName[$0] }
        }
    }

    /// An array whose elements are all of one kind.
    public static func array<Element>(of element: Kind<Element>) -> Kind where Value == [Element] {
        Kind(
            expected: "an array, each element \(element.expected)",
            schema: ["type": "array", "items": .object(element.schema)]
        ) { (value, field) throws(FieldError) in
            guard let elements = value.arrayValue else {
                throw FieldError(field: field, expected: "an array", got: value)
            }
            var result: [Element] = []
            result.reserveCapacity(elements.count)
            for (index, json) in elements.enumerated() {
                do throws(FieldError) {
                    result.append(try element.value(of: json, field: ""))
                } catch {
                    throw error.inside("\(field)[\(index)]")
                }
            }
            return result
        }
    }

    /// An object that is read member by member.
    public static func object(
        schema: JSONObject = ["type": "object"], reading read: @escaping @Sendable (Fields) throws(FieldError) -> Value
    ) -> Kind {
        Kind(expected: "an object", schema: schema) { (value, field) throws(FieldError) in
            guard let object = value.objectValue else {
                throw FieldError(field: field, expected: "an object", got: value)
            }
            return try read(Fields(object, inside: field))
        }
    }

    /// A message inside another.
    public static func message(_ type: Value.Type) -> Kind where Value: WireMessage {
        object { (fields) throws(FieldError) in try Value(fields) }
    }
}

extension Kind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of an enumeration's values.
    public static var choice: Kind { one(of: Array(Value.allCases)) { $0.rawValue } }
}
