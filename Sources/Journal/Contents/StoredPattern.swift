import JSON
import Music

extension Pattern {
    /// The pattern as it is stored, without the notes of what plays.
    var storedSettings: JSONObject {
        var object: JSONObject = ["name": .string(name)]
        object["created"] = created.map { .integer($0) }
        object["modified"] = modified.map { .integer($0) }
        object["parameters"] = .object(parameters.stored(\.isOfPattern))
        object["playing"] = playing.all.storedAfterFirst
        let resting = notes(of: restingSlots)
        object["slots"] = resting.isEmpty ? nil : .object(resting.stored)
        return object
    }

    /// The notes of what plays as they are stored.
    var storedCells: JSONObject { notes(of: playing.all).storedByTrack }

    /// The pattern as it is stored.
    var stored: JSONObject {
        var object = storedSettings
        object["cells"] = .object(storedCells)
        return object
    }

    /// Reads ``stored``, or ``storedSettings`` with ``storedCells`` beside it.
    init(stored object: JSONObject, cells: JSONObject? = nil) throws(MalformedData) {
        self.init()
        name = object["name"]?.stringValue ?? ""
        created = object["created"]?.intValue
        modified = object["modified"]?.intValue
        parameters = ParameterValues(stored: object["parameters"]?.objectValue ?? [:])
        playing = try PlayingSlots(stored: object["playing"])
        for (slot, notes) in try [Slot: SlotNotes](stored: object["slots"]?.objectValue ?? [:]) { self[slot] = notes }
        let cells = cells ?? object["cells"]?.objectValue ?? [:]
        for (slot, notes) in try [Slot: SlotNotes](storedByTrack: cells, of: playing) { self[slot] = notes }
    }

    private func notes(of slots: [Slot]) -> [Slot: SlotNotes] {
        Dictionary(uniqueKeysWithValues: slots.map { ($0, self[$0]) })
    }
}
