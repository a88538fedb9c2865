import Grid
import JSON
import Music

extension PatternFormat {
    /// A pattern as a JSON value; ``fileBytes(of:)`` makes a file of it.
    ///
    /// Hidden steps are included. Sustain cells without a head and dates outside the years 0 to 9999 are left out.
    public static func encode(_ pattern: Pattern) -> JSONValue {
        var object: JSONObject = ["version": .integer(version), "name": .string(pattern.name)]
        object["created"] = pattern.created.flatMap(Timestamp.text).map(JSONValue.string)
        object["modified"] = pattern.modified.flatMap(Timestamp.text).map(JSONValue.string)
        for (name, parameter) in members { object[name] = pattern.parameters[parameter].json }
        object["tracks"] = .object(
            JSONObject(Track.allCases, named: \.name) { track in
                let slot = encode(pattern.sounding(track), of: track)
                return .object(JSONObject([.init(name: "type", value: .string(track.name))] + slot.members))
            })
        encodeSlots(of: pattern, into: &object)
        object["sounds"] = encodeSounds(pattern.parameters)
        encodeGroups(pattern.parameters, into: &object)
        return .object(object)
    }

    static func encodeNotes(_ slot: SlotNotes, of track: Track) -> JSONValue {
        var notes: [JSONValue] = []
        for step in 0..<SlotNotes.stepCount {
            for note in slot[step].notes {
                let members: JSONObject = [
                    "col": .integer(Layout.column(ofStep: step)),
                    "row": .integer(Layout.row(of: track, note: note)),
                    "pitch": .integer(track.midiPitch(of: note)),
                    "velocity": .string(slot[note, step].name),
                ]
                notes.append(.object(JSONObject(members.members + slot[step][whole: note].valueMembers.members)))
            }
        }
        return .array(notes)
    }
}
