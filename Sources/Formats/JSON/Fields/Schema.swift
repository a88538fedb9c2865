/// A JSON Schema, and the schemas that it references by name.
public struct Schema: Equatable, Sendable {
    public var json: JSONObject
    /// The schemas that it references, directly and indirectly, by name.
    public private(set) var definitions: JSONObject

    /// The place of named schemas in the document that contains the schema.
    private static let place = "#/components/schemas/"

    /// A schema without references.
    public init(_ json: JSONObject, definitions: JSONObject = [:]) {
        self.json = json
        self.definitions = definitions
    }

    /// A reference to this schema, which becomes a definition.
    public func defined(as name: String) -> Schema {
        var reference = Schema(["$ref": .string(Schema.place + name)], definitions: definitions)
        reference.definitions[name] = .object(json)
        return reference
    }

    /// The name under which the schema is defined, nil if it is inline.
    public var name: String? {
        json["$ref"]?.stringValue.map { String($0.dropFirst(Schema.place.count)) }
    }

    /// The same schema with additions.
    public func adding(_ more: JSONObject) -> Schema {
        var schema = self
        for member in more.members { schema.json[member.name] = member.value }
        return schema
    }

    /// Adds the definitions of a schema that this one contains.
    public mutating func define(_ other: JSONObject) {
        for member in other.members { definitions[member.name] = member.value }
    }

    /// A schema that contains others.
    public init(_ json: JSONObject, containing parts: [Schema]) {
        self.init(json)
        for part in parts { define(part.definitions) }
    }
}

extension Schema: ExpressibleByDictionaryLiteral {
    /// A schema without references.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(JSONObject(members.map { .init(name: $0, value: $1) }))
    }
}
