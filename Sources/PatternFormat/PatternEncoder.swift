import Grid
import JSON
import Music

extension PatternFormat {
    /// A pattern as a JSON value; ``JSONValue/prettyBytes`` of it is what goes into files.
    ///
    /// Hidden steps are included; sustain cells without a head are not, nor dates outside the years 0 to 9999.
    public static func encode(_ pattern: Pattern) -> JSONValue {
        var object: JSONObject = ["version": .integer(version), "name": .string(pattern.name)]
        object["created"] = pattern.created.flatMap(Timestamp.text).map(JSONValue.string)
        object["modified"] = pattern.modified.flatMap(Timestamp.text).map(JSONValue.string)
        for (name, parameter) in members { object[name] = pattern.parameters[parameter].json }
        let cells = pattern.soundingCells
        let tracks = Track.allCases.map { JSONObject.Member(name: $0.name, value: encode($0, cells)) }
        object["tracks"] = .object(JSONObject(tracks))
        encodeSlots(of: pattern, into: &object)
        object["sounds"] = encodeSounds(pattern.parameters)
        return .object(object)
    }

    private static func encode(_ track: Track, _ cells: Cells) -> JSONValue {
        ["type": .string(track.name), "notes": encode(notesOf: track, cells)]
    }

    /// The notes of a track.
    static func encode(notesOf track: Track, _ cells: Cells) -> JSONValue {
        var notes: [JSONValue] = []
        for step in 0..<Cells.stepCount {
            for note in cells[track, step].notes {
                notes.append([
                    "col": .integer(Layout.column(ofStep: step)),
                    "row": .integer(Layout.row(of: track, note: note)),
                    "pitch": .integer(track.midiPitch(of: note)),
                    "velocity": .string(cells[track, note, step].name),
                ])
            }
        }
        return .array(notes)
    }
}
