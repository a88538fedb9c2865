import JSON
import Music
import PatternFormat

extension OpenLenses: WireMessage {
    /// `{"bass": "chance"}`; tracks without an open lens are left out.
    public static let kind = Kind<OpenLenses>.object(
        schema: Schema(
            [
                "type": "object",
                "properties": .object(
                    JSONObject(
                        Track.allCases.map { .init(name: $0.name, value: .object(Kind<Lens>.name.schema.json)) })),
            ]),
        reading: { (fields) throws(FieldError) in
            var lenses = OpenLenses()
            for track in Track.allCases { lenses[track] = try fields.optional(track.name, Kind<Lens>.name) }
            return lenses
        },
        writing: { lenses in
            JSONObject(
                Track.allCases.compactMap { track in
                    lenses[track].map { .init(name: track.name, value: Kind<Lens>.name.json(of: $0)) }
                })
        })
}
