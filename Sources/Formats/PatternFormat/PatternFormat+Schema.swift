import JSON
import Music

extension PatternFormat {
    /// The JSON Schema of patterns.
    public static let schema: Schema = {
        var properties: JSONObject = [
            "version": .object(Kind<Int>.constant(version).schema.json),
            "name": .object(Kind<String>.patternName.schema.json),
            "created": .object(Kind<Int>.date.schema.json), "modified": .object(Kind<Int>.date.schema.json),
        ]
        for (name, parameter) in members {
            properties[name] = .object(
                Kind.values(parameter.row.kind()).described(as: ["default": parameter.row.defaultValue().json])
                    .schema.json)
        }
        properties["tracks"] = [
            "type": "object",
            "properties": .object(JSONObject(Track.allCases, named: \.name, value: schema(of:))),
        ]
        for member in slotsSchemas.members { properties[member.name] = member.value }
        properties["sounds"] = .object(soundsSchema)
        for member in groupSchemas.members { properties[member.name] = member.value }
        return Schema(["type": "object", "properties": .object(properties), "required": ["tracks"]])
            .defined(as: "Pattern")
    }()

    /// The same as a separate document, for editors and programs that make pattern files.
    public static let schemaDocument: JSONValue = {
        var document: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "PixelBoop pattern",
            "description": """
            Rules beyond this schema: each note once per step, on melody one note; playing slots are not in `slots`.
            """,
        ]
        for member in schema.definitions["Pattern"]?.objectValue?.members ?? [] { document[member.name] = member.value }
        return .object(document)
    }()

    private static func schema(of track: Track) -> JSONValue {
        var properties: JSONObject = ["type": .object(Kind<String>.constant(track.name).schema.json)]
        for member in slotSchemas(of: track).members { properties[member.name] = member.value }
        return ["type": "object", "properties": .object(properties)]
    }

    static func notesSchema(of track: Track) -> JSONValue {
        var properties: JSONObject = [
            "col": .object(Columns.grid.kind.schema.json), "row": ["type": "integer"],
            "pitch": .object(Kind<Int>.pitch(of: track).schema.json),
            "velocity": .object(Kind<Velocity>.soundingVelocity.schema.json),
        ]
        for value in NoteValue.allCases { properties[value.row.name] = .object(value.kind.schema.json) }
        return [
            "type": "array",
            "items": [
                "type": "object", "properties": .object(properties), "required": ["col", "pitch", "velocity"],
            ],
        ]
    }
}
