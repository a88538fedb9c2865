import JSON
import Music

extension PatternFormat {
    /// What a pattern looks like, as a JSON Schema.
    public static let schema: Schema = {
        var properties: JSONObject = [
            "version": .object(Kind<Int>.constant(version).schema.json),
            "name": .object(Kind<String>.patternName.schema.json),
            "created": .object(Kind<Int>.date.schema.json), "modified": .object(Kind<Int>.date.schema.json),
        ]
        for (name, parameter) in members {
            properties[name] = .object(Kind.values(parameter.row.kind()).schema.json)
        }
        properties["tracks"] = [
            "type": "object",
            "properties": .object(JSONObject(Track.allCases.map { .init(name: $0.name, value: schema(of: $0)) })),
        ]
        for member in slotsSchemas.members { properties[member.name] = member.value }
        properties["sounds"] = .object(soundsSchema)
        return Schema(["type": "object", "properties": .object(properties), "required": ["tracks"]])
            .defined(as: "Pattern")
    }()

    private static func schema(of track: Track) -> JSONValue {
        [
            "type": "object",
            "properties": [
                "type": .object(Kind<String>.constant(track.name).schema.json), "notes": notesSchema(of: track),
            ],
        ]
    }

    /// The notes of a track.
    static func notesSchema(of track: Track) -> JSONValue {
        [
            "type": "array",
            "items": [
                "type": "object",
                "properties": [
                    "col": .object(Columns.grid.kind.schema.json), "row": ["type": "integer"],
                    "pitch": .object(Kind<Int>.pitch(of: track).schema.json),
                    "velocity": .object(Kind<Velocity>.soundingVelocity.schema.json),
                ],
                "required": ["col", "pitch", "velocity"],
            ],
        ]
    }
}
