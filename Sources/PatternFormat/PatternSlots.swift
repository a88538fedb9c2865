import JSON
import Music

// Slots in pattern files: two members, left out while only the first slots are used.
//
//     "playing": {"melody": 1, ...}, "slots": {"melody": {"2": {"notes": [...], "motion": {"tone": [[0, -12]]}}}}

extension PatternFormat {
    /// Adds `playing`, and `slots` with those that do not play and hold anything.
    static func encodeSlots(of pattern: Pattern, into object: inout JSONObject) {
        let resting = pattern.usedSlots.filter { !pattern.playing.contains($0) }
        guard pattern.playing != PlayingSlots() || !resting.isEmpty else { return }
        object["playing"] = .object(
            JSONObject(pattern.playing.all.map { .init(name: $0.track.name, value: .integer($0.number)) }))
        var slots: JSONObject = [:]
        for track in Track.allCases {
            let members = resting.filter { $0.track == track }.map {
                JSONObject.Member(
                    name: String($0.number), value: .object(encode(pattern.sounding($0), of: track)))
            }
            if !members.isEmpty { slots[track.name] = .object(JSONObject(members)) }
        }
        if !slots.isEmpty { object["slots"] = .object(slots) }
    }

    /// The members `playing` and `slots` as JSON Schemas.
    static let slotsSchemas: JSONObject = {
        let playing = Track.allCases.map {
            JSONObject.Member(name: $0.name, value: .object(Kind.slotNumber.schema.json))
        }
        let slots = Track.allCases.map { track in
            JSONObject.Member(
                name: track.name,
                value: [
                    "type": "object", "propertyNames": ["pattern": "^[1-8]$"],
                    "additionalProperties": ["type": "object", "properties": .object(slotProperties(of: track))],
                ])
        }
        return [
            "playing": ["type": "object", "properties": .object(JSONObject(playing))],
            "slots": ["type": "object", "properties": .object(JSONObject(slots))],
        ]
    }()
}

extension PatternDecoder {
    /// Reads `playing`.
    func readPlaying(_ fields: Fields, into pattern: inout Pattern) throws(FieldError) {
        try fields.inside("playing") { (fields) throws(FieldError) in
            for track in Track.allCases {
                if let number = try fields.optional(track.name, .slotNumber) {
                    pattern.playing.play(Slot(track, number - 1))
                }
            }
        }
    }

    /// Reads `slots`, once it is known what plays.
    func readSlots(_ fields: Fields, into pattern: inout Pattern) throws(FieldError) {
        try fields.inside("slots") { (fields) throws(FieldError) in
            for track in Track.allCases {
                try fields.inside(track.name) { (slots) throws(FieldError) in
                    try readSlots(of: track, slots, into: &pattern)
                }
            }
        }
    }

    private func readSlots(of track: Track, _ slots: Fields, into pattern: inout Pattern) throws(FieldError) {
        for member in slots.object.members {
            guard let number = Int(member.name), (1...Slot.count).contains(number), String(number) == member.name else {
                throw FieldError(
                    field: member.name, problem: .invalid("there is no such slot; there are 1 to \(Slot.count)"))
            }
            let slot = Slot(track, number - 1)
            guard !pattern.playing.contains(slot) else {
                throw FieldError(field: member.name, problem: .invalid("this slot plays: its notes belong in tracks"))
            }
            try slots.inside(member.name) { (fields) throws(FieldError) in
                pattern[slot] = try readTrack(fields, track, length: pattern.length)
            }
        }
    }
}

extension Kind<Int> {
    /// A slot or a scene, by number.
    public static let slotNumber = Kind.integer(in: 1...Slot.count)
}
