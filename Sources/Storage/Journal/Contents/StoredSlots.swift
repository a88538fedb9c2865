import JSON
import Music

// Slots in journals and snapshots: by track, numbered from 1. `{"melody": 3}` names slots, those that are not named are the
// first; `{"melody": {"2": "..."}}` holds their notes.

extension PlayingSlots {
    /// The slots as they are stored, nil when all are the first.
    var stored: JSONValue? { self == PlayingSlots() ? nil : .object(all.filter { $0.index > 0 }.stored) }

    /// Reads ``stored``.
    init(stored value: JSONValue?) throws(MalformedData) {
        self.init()
        for slot in try [Slot](stored: value?.objectValue ?? [:]) { self[slot.track] = slot.index }
    }
}

extension [Slot] {
    /// The slots, at most one of each track, as they are stored.
    var stored: JSONObject {
        JSONObject(map { JSONObject.Member(name: $0.track.name, value: .integer($0.number)) })
    }

    /// Reads ``stored``; tracks that are not known are left out.
    init(stored object: JSONObject) throws(MalformedData) {
        self = []
        for track in Track.allCases {
            guard let value = object[track.name] else { continue }
            append(try Slot(track, storedNumber: value.intValue))
        }
    }
}

extension [Slot: TrackCells] {
    /// The slots' notes as they are stored; empty slots are `""`.
    var stored: JSONObject {
        JSONObject(
            Track.allCases.compactMap { track in
                let slots = filter { $0.key.track == track }.sorted { $0.key.index < $1.key.index }
                let members = slots.map {
                    JSONObject.Member(name: String($0.key.number), value: $0.value.stored ?? .string(""))
                }
                return slots.isEmpty ? nil : JSONObject.Member(name: track.name, value: .object(JSONObject(members)))
            })
    }

    /// Reads ``stored``; tracks that are not known are left out.
    init(stored object: JSONObject) throws(MalformedData) {
        self = [:]
        for track in Track.allCases {
            for member in object[track.name]?.objectValue?.members ?? [] {
                let slot = try Slot(track, storedNumber: Int(member.name))
                self[slot] = member.value == .string("") ? TrackCells() : try TrackCells(stored: member.value)
            }
        }
    }
}

extension Slot {
    fileprivate init(_ track: Track, storedNumber number: Int?) throws(MalformedData) {
        guard let number, (1...Slot.count).contains(number) else { throw MalformedData() }
        self.init(track, number - 1)
    }
}
