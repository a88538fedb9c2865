/// A member of an object that represents a structure: its name, its kind and the property it stands for.
public struct Member<Whole: Sendable, Value: Sendable>: Sendable {
    let properties: JSONObject
    let required: [String]
    let definitions: JSONObject
    let read: @Sendable (Fields) throws(FieldError) -> Value
    let write: @Sendable (Whole, inout JSONObject) -> Void
}

extension Member {
    private init(
        _ name: String, _ schema: Schema, isRequired: Bool,
        read: @escaping @Sendable (Fields) throws(FieldError) -> Value,
        write: @escaping @Sendable (Whole) -> JSONValue?
    ) {
        self.init(
            properties: JSONObject([.init(name: name, value: .object(schema.json))]),
            required: isRequired ? [name] : [], definitions: schema.definitions, read: read,
            write: { whole, object in if let json = write(whole) { object[name] = json } })
    }

    /// A required member.
    public init(_ name: String, _ kind: Kind<Value>, _ get: @escaping @Sendable (Whole) -> Value) {
        self.init(
            name, kind.schema, isRequired: true, read: { (fields) throws(FieldError) in try fields(name, kind) },
            write: { kind.json(of: get($0)) })
    }

    /// A member that is left out if there is no value.
    public static func optional<Wrapped>(
        _ name: String, _ kind: Kind<Wrapped>, _ get: @escaping @Sendable (Whole) -> Wrapped?
    ) -> Member where Value == Wrapped? {
        Member(
            name, kind.schema, isRequired: false,
            read: { (fields) throws(FieldError) in try fields.optional(name, kind) },
            write: { get($0).map { kind.json(of: $0) } })
    }

    /// A member that is always written, with a default for older versions that leave it out.
    public static func defaulted(
        _ name: String, _ kind: Kind<Value>, _ value: Value, _ get: @escaping @Sendable (Whole) -> Value
    ) -> Member {
        Member(
            name, kind.schema, isRequired: true,
            read: { (fields) throws(FieldError) in try fields.optional(name, kind) ?? value },
            write: { kind.json(of: get($0)) })
    }

    /// The members of another object as members of this one. Members of the same name are merged if both are objects.
    public static func embedded(_ kind: Kind<Value>, _ get: @escaping @Sendable (Whole) -> Value) -> Member {
        Member(
            properties: kind.schema.json["properties"]?.objectValue ?? [:],
            required: (kind.schema.json["required"]?.arrayValue ?? []).compactMap(\.stringValue),
            definitions: kind.schema.definitions,
            read: { (fields) throws(FieldError) in try kind.value(of: .object(fields.object)) },
            write: { whole, object in
                if let json = kind.json(of: get(whole)).objectValue { object.join(json) }
            })
    }
}

extension Kind {
    /// An object that represents a structure: reading, writing and schema follow from its members.
    ///
    /// - Parameter make: Makes a structure from the members' values.
    public static func record<each Part: Sendable>(
        _ members: repeat Member<Value, each Part>, make: @escaping @Sendable (repeat each Part) -> Value
    ) -> Kind {
        var properties: JSONObject = [:]
        var required: [String] = []
        var definitions: JSONObject = [:]
        for member in repeat each members {
            properties.join(member.properties)
            for definition in member.definitions.members { definitions[definition.name] = definition.value }
            // Two members may be parts of one, as the settings and the report of `sync`.
            required += member.required.filter { !required.contains($0) }
        }
        let schema = Schema(
            [
                "type": "object", "properties": .object(properties),
                "required": .array(required.map { .string($0) }),
            ], definitions: definitions)
        let members = (repeat each members)
        return .object(
            schema: schema,
            reading: { (fields) throws(FieldError) in make(repeat try (each members).read(fields)) },
            writing: { whole in
                var object = JSONObject()
                for member in repeat each members { member.write(whole, &object) }
                return object
            })
    }
}

extension JSONObject {
    /// Adds another object's members. Objects of the same name are merged, and so are arrays of the same name in them,
    /// such as `required` in schemas.
    fileprivate mutating func join(_ other: JSONObject) {
        for member in other.members {
            switch (self[member.name], member.value) {
            case (.object(var mine)?, .object(let theirs)):
                mine.join(theirs)
                self[member.name] = .object(mine)
            case (.array(let mine)?, .array(let theirs)): self[member.name] = .array(mine + theirs)
            default: self[member.name] = member.value
            }
        }
    }
}
