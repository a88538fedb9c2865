import FoundationEssentials
import JSON
import Music
import PatternFormat

// Slots in changes and snapshots: by track, numbered from 1. `{"melody": 3}` names slots, by default the first of each
// track; `{"melody": {"2": "..."}}` holds their notes, and `{"melody": "..."}` those of one slot of each track.
//
// A slot's notes are the base64 of four bytes with a bit for each step that is not empty, then the bytes of each of
// these steps: two bits for each note's velocity. Numbers are little-endian.
//
// Note values other than defaults are stored beside them:
//
//     "values": {"melody": {"2": {"level": "..."}}}
//
// each the base64 of three bytes for every such note: its step, its number and the value. A slot's own length and speed are
// members of the same object: `"length": 12, "speed": "3/2"`. Motions have another object:
//
//     "motions": {"melody": {"2": {"tone": "..."}}}
//
// each the base64 of a byte and a double for every point: its step and its value.

extension SlotNotes {
    /// The stored form of the notes, nil if there are none.
    var stored: JSONValue? {
        let occupied = (0..<SlotNotes.stepCount).filter { !self[$0].isEmpty }
        guard !occupied.isEmpty else { return nil }
        var writer = ByteWriter()
        writer.write(occupied.reduce(UInt32(0)) { $0 | 1 << UInt32($1) })
        for step in occupied {
            let velocities = (0..<Track.noteCount).reduce(UInt32(0)) {
                $0 | UInt32(self[$1, step].rawValue) << UInt32(2 * $1)
            }
            for byte in 0..<SlotNotes.storedStepBytes {
                writer.write(UInt8(truncatingIfNeeded: velocities >> UInt32(8 * byte)))
            }
        }
        return .string(Data(writer.bytes).base64EncodedString())
    }

    /// Reads ``stored``; nil and `""` mean no notes.
    init(stored value: JSONValue?) throws(MalformedData) {
        self.init()
        guard let value, value != .string("") else { return }
        guard let bytes = value.stringValue.flatMap({ Data(base64Encoded: $0) }) else { throw MalformedData() }
        var reader = ByteReader(Array(bytes)[...])
        let occupied = try reader.integer(UInt32.self)
        for step in 0..<SlotNotes.stepCount where occupied & 1 << UInt32(step) != 0 {
            let bytes = try reader.readBytes(SlotNotes.storedStepBytes)
            let velocities = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            for note in 0..<Track.noteCount {
                self[note, step] = Velocity(rawValue: UInt8(velocities >> UInt32(2 * note) & 3))!
            }
        }
        guard reader.isAtEnd else { throw MalformedData() }
    }

    private static let storedStepBytes = 3

    /// The stored form of the slot's time and note values without defaults; nil if all are defaults.
    fileprivate var storedValues: JSONValue? {
        let steps = (0..<SlotNotes.stepCount).flatMap { step in self[step].heads.map { (step, $0) } }
        let notes = steps.filter { self[$0][whole: $1].hasValues }
        var object = PatternFormat.timeMembers(of: self)
        for value in NoteValue.allCases {
            let bytes = notes.flatMap { step, note -> [UInt8] in
                let number = self[step][whole: note][value]
                return number == Note()[value] ? [] : [UInt8(step), UInt8(note), UInt8(bitPattern: Int8(number))]
            }
            if !bytes.isEmpty { object[value.row.name] = .string(Data(bytes).base64EncodedString()) }
        }
        return object.isEmpty ? nil : .object(object)
    }

    /// Reads the known ones of ``storedValues``.
    fileprivate mutating func read(storedValues object: JSONObject?) throws(MalformedData) {
        let time = Fields(object ?? [:])
        length = try? time.optional("length", .slotLength)
        speed = (try? time.optional("speed", Kind<Speed>.name)) ?? .normal
        for value in NoteValue.allCases {
            guard let text = object?[value.row.name] else { continue }
            guard let bytes = text.stringValue.flatMap({ Data(base64Encoded: $0) }) else { throw MalformedData() }
            var reader = ByteReader(Array(bytes)[...])
            while !reader.isAtEnd {
                let (step, note) = (Int(try reader.integer(UInt8.self)), Int(try reader.integer(UInt8.self)))
                guard step < SlotNotes.stepCount, note < Track.noteCount else { throw MalformedData() }
                self[step][whole: note][value] = Int(Int8(bitPattern: try reader.integer(UInt8.self)))
            }
        }
    }
}

extension Motions {
    /// The stored form of the points, nil if there are none.
    fileprivate var stored: JSONValue? {
        guard !isEmpty else { return nil }
        return .object(
            JSONObject(parameters, named: \.row.name) { parameter in
                var writer = ByteWriter()
                for point in self[parameter] {
                    writer.write(UInt8(point.step))
                    writer.write(point.value.bitPattern)
                }
                return .string(Data(writer.bytes).base64EncodedString())
            })
    }

    /// Reads ``stored`` for the parameters that can move.
    fileprivate init(stored object: JSONObject?) throws(MalformedData) {
        self.init()
        for parameter in Parameter.movable {
            guard let text = object?[parameter.row.name] else { continue }
            guard let bytes = text.stringValue.flatMap({ Data(base64Encoded: $0) }) else { throw MalformedData() }
            var reader = ByteReader(Array(bytes)[...])
            while !reader.isAtEnd {
                let step = Int(try reader.integer(UInt8.self))
                guard step < SlotNotes.stepCount else { throw MalformedData() }
                self[parameter, step] = Double(bitPattern: try reader.integer(UInt64.self))
            }
        }
    }
}

extension PlayingSlots {
    /// Reads the slots; tracks not named play their first.
    init(stored value: JSONValue?) throws(MalformedData) {
        self.init()
        for slot in try [Slot](stored: value?.objectValue ?? [:]) { play(slot) }
    }
}

extension [Slot] {
    /// The stored form of slots, at most one of each track.
    var stored: JSONObject { JSONObject(self, named: \.track.name) { .integer($0.number) } }

    /// The playing slots that are not first slots; nil if there are none.
    var storedAfterFirst: JSONValue? {
        let others = filter { $0.index > 0 }
        return others.isEmpty ? nil : .object(others.stored)
    }

    /// Reads ``stored``, ignoring unknown tracks.
    init(stored object: JSONObject) throws(MalformedData) {
        self = []
        for track in Track.allCases {
            guard let value = object[track.name] else { continue }
            append(try Slot(track, storedNumber: value.intValue))
        }
    }
}

extension [Slot: SlotNotes] {
    /// The stored form of the slots; empty ones are `""`.
    var stored: JSONObject { addingRest(to: object { $0.stored ?? .string("") }) }

    /// An object for each track, with a member for each of its slots.
    private func object(_ value: (SlotNotes) -> JSONValue?) -> JSONObject {
        JSONObject(Track.allCases, named: \.name) { track in
            let slots = filter { $0.key.track == track }.sorted { $0.key.index < $1.key.index }
            let members = JSONObject(slots, named: { String($0.key.number) }, value: { value($0.value) })
            return members.isEmpty ? nil : .object(members)
        }
    }

    /// Adds the values and motions.
    private func addingRest(to object: JSONObject) -> JSONObject {
        let (values, motions) = (self.object(\.storedValues), self.object(\.motions.stored))
        var object = object
        object["values"] = values.isEmpty ? nil : .object(values)
        object["motions"] = motions.isEmpty ? nil : .object(motions)
        return object
    }

    /// The form stored by track, for at most one slot of each.
    var storedByTrack: JSONObject {
        addingRest(
            to: JSONObject(Track.allCases, named: \.name) { track in first { $0.key.track == track }?.value.stored })
    }

    /// Reads ``stored``, ignoring unknown tracks.
    init(stored object: JSONObject) throws(MalformedData) {
        self = [:]
        for track in Track.allCases {
            for member in object[track.name]?.objectValue?.members ?? [] {
                self[try Slot(track, storedNumber: Int(member.name))] = try SlotNotes(stored: member.value)
            }
        }
        try readRest(object)
    }

    private mutating func readRest(_ object: JSONObject) throws(MalformedData) {
        let (values, motions) = (object["values"]?.objectValue, object["motions"]?.objectValue)
        guard values != nil || motions != nil else { return }
        for slot in keys {
            try self[slot]?.read(storedValues: values?.members(of: slot))
            self[slot]?.motions = try Motions(stored: motions?.members(of: slot))
        }
    }

    /// Reads ``storedByTrack``, all tracks.
    init(storedByTrack object: JSONObject, of playing: PlayingSlots) throws(MalformedData) {
        self = [:]
        for slot in playing.all { self[slot] = try SlotNotes(stored: object[slot.track.name]) }
        try readRest(object)
    }
}

extension JSONObject {
    /// The entry for a slot among values or motions.
    fileprivate func members(of slot: Slot) -> JSONObject? {
        self[slot.track.name]?.objectValue?[String(slot.number)]?.objectValue
    }
}

extension Slot {
    fileprivate init(_ track: Track, storedNumber number: Int?) throws(MalformedData) {
        guard let number, (1...Slot.count).contains(number) else { throw MalformedData() }
        self.init(track, number - 1)
    }
}
