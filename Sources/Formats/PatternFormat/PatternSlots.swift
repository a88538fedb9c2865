import JSON
import Music

// Slots in pattern files: two members, left out while only the first slots are used.
//
//     "playing": {"melody": 1, ...}, "slots": {"melody": {"2": {"notes": [...], "length": 12, "speed": "3/2", "motion": {...}}}}
//
// A slot's own length, speed and motions are left out while it has none; those of a slot that plays are members of its
// track.

extension PatternFormat {
    /// Adds `playing`, and `slots` with the slots that do not play and are not empty.
    static func encodeSlots(of pattern: Pattern, into object: inout JSONObject) {
        let resting = pattern.restingSlots
        guard pattern.playing != PlayingSlots() || !resting.isEmpty else { return }
        object["playing"] = .object(
            JSONObject(pattern.playing.all, named: \.track.name) { .integer($0.number) })
        let slots = JSONObject(Track.allCases, named: \.name) { track in
            let members = JSONObject(resting.filter { $0.track == track }, named: { String($0.number) }) {
                .object(encode(pattern.sounding($0), of: track))
            }
            return members.isEmpty ? nil : .object(members)
        }
        if !slots.isEmpty { object["slots"] = .object(slots) }
    }

    /// The members `playing` and `slots` as JSON Schemas.
    static let slotsSchemas: JSONObject = {
        let playing = JSONObject(Track.allCases, named: \.name) { _ in .object(Kind.slotNumber.schema.json) }
        let slots = JSONObject(Track.allCases, named: \.name) { track in
            [
                "type": "object", "propertyNames": ["pattern": "^[1-8]$"],
                "additionalProperties": ["type": "object", "properties": .object(slotSchemas(of: track))],
            ]
        }
        return [
            "playing": ["type": "object", "properties": .object(playing)],
            "slots": ["type": "object", "properties": .object(slots)],
        ]
    }()
}

extension PatternFormat {
    /// The contents of a slot: its notes and everything else.
    static func encode(_ slot: SlotNotes, of track: Track) -> JSONObject {
        var object: JSONObject = ["notes": encodeNotes(slot, of: track)]
        for member in timeMembers(of: slot).members { object[member.name] = member.value }
        if !slot.motions.isEmpty { object["motion"] = Kind.motions.json(of: slot.motions) }
        return object
    }

    /// A slot's own length and speed, unless they are the defaults.
    public static func timeMembers(of slot: SlotNotes) -> JSONObject {
        var object: JSONObject = [:]
        object["length"] = slot.length.map(JSONValue.integer)
        if slot.speed != .normal { object["speed"] = .string(slot.speed.name) }
        return object
    }

    static func slotSchemas(of track: Track) -> JSONObject {
        [
            "notes": notesSchema(of: track), "length": .object(Kind.slotLength.schema.json),
            "speed": .object(Kind<Speed>.name.schema.json), "motion": .object(Kind.motions.schema.json),
        ]
    }
}

extension SlotNotes {
    /// Reads ``PatternFormat/timeMembers(of:)``.
    mutating func readTime(_ fields: Fields) throws(FieldError) {
        length = try fields.optional("length", .slotLength)
        speed = try fields.optional("speed", .name) ?? .normal
    }
}

extension PatternDecoder {
    /// Reads a slot, or a track as the slot that it plays.
    func readSlot(_ fields: Fields, _ track: Track, of pattern: Pattern) throws(FieldError) -> SlotNotes {
        var slot = try readNotes(fields, track)
        try slot.readTime(fields)
        slot.motions = try fields.optional("motion", .motions) ?? Motions()
        return slot.removingHeadless(ofWhole: pattern.length)
    }

    func readPlaying(_ fields: Fields, into pattern: inout Pattern) throws(FieldError) {
        try fields.inside("playing") { (fields) throws(FieldError) in
            for track in Track.allCases {
                if let number = try fields.optional(track.name, .slotNumber) {
                    pattern.playing.play(Slot(track, number - 1))
                }
            }
        }
    }

    /// Reads `slots`, once the playing slots are known.
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
                    field: member.name, problem: .invalid("no such slot; slots are 1 to \(Slot.count)"))
            }
            let slot = Slot(track, number - 1)
            guard !pattern.playing.contains(slot) else {
                throw FieldError(field: member.name, problem: .invalid("this slot plays: its notes belong in tracks"))
            }
            try slots.inside(member.name) { (fields) throws(FieldError) in
                pattern[slot] = try readSlot(fields, track, of: pattern)
            }
        }
    }
}

extension Kind<Int> {
    /// A slot or a scene, by number.
    public static let slotNumber = Kind.integer(in: 1...Slot.count)
    /// Steps of a slot's own loop.
    public static let slotLength = Kind.integer(in: 1...SlotNotes.stepCount)
}
