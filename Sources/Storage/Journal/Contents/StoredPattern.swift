import JSON
import Music

extension Pattern {
    /// The pattern as it is stored, without the cells of what plays.
    var storedSettings: JSONObject {
        var object: JSONObject = ["name": .string(name)]
        object["created"] = created.map { .integer($0) }
        object["modified"] = modified.map { .integer($0) }
        object["parameters"] = .object(parameters.stored(\.isOfPattern))
        object["playing"] = playing.stored
        object["slots"] = resting.isEmpty ? nil : .object(resting.stored)
        return object
    }

    /// The pattern as it is stored.
    var stored: JSONObject {
        var object = storedSettings
        object["cells"] = .object(cells.stored)
        return object
    }

    /// Reads ``stored`` or ``storedSettings``.
    init(stored object: JSONObject) throws(MalformedData) {
        self.init()
        name = object["name"]?.stringValue ?? ""
        created = object["created"]?.intValue
        modified = object["modified"]?.intValue
        parameters = ParameterValues(stored: object["parameters"]?.objectValue ?? [:])
        cells = try Cells(stored: object["cells"]?.objectValue ?? [:])
        playing = try PlayingSlots(stored: object["playing"])
        resting = try [Slot: TrackCells](stored: object["slots"]?.objectValue ?? [:])
            .filter { !playing.contains($0.key) && !$0.value.isEmpty }
    }
}
