import JSON
import Music
import PatternFormat

// A whole document, its history included, as it lies in a snapshot:
//
//     {"pattern": {...}, "parameters": {...}, "history": {"undo": [step, ...], "redo": [step, ...], "dropped": {...}}}

extension Document {
    /// The document as it is stored.
    var stored: JSONObject {
        [
            "pattern": .object(pattern.stored), "parameters": .object(parameters.stored { !$0.isOfPattern }),
            "history": .object(history.stored),
            "bindings": .array(bindings.all.map { Kind<MidiBinding>.binding.json(of: $0) }),
        ]
    }

    /// Reads ``stored``. What is not known is left out, and what is missing has its default.
    init(stored object: JSONObject) throws(MalformedData) {
        guard let pattern = object["pattern"]?.objectValue else { throw MalformedData() }
        self.init(
            pattern: try Pattern(stored: pattern),
            history: try History(stored: object["history"]?.objectValue ?? [:]),
            parameters: ParameterValues(stored: object["parameters"]?.objectValue ?? [:]),
            bindings: object["bindings"]?.arrayValue.map {
                MidiBindings($0.compactMap(MidiBinding.init(stored:)))
            } ?? MidiBindings())
    }
}

extension History {
    fileprivate var stored: JSONObject {
        var object: JSONObject = ["undo": .array(undoable.stored), "redo": .array(redoable.stored)]
        object["dropped"] = dropped.map { dropped in
            var object: JSONObject = ["redo": .array(dropped.redoable.stored)]
            object["oldest"] = dropped.oldest.map { .object($0.stored) }
            return .object(object)
        }
        return object
    }

    fileprivate init(stored object: JSONObject) throws(MalformedData) {
        var dropped: Dropped?
        if let object = object["dropped"]?.objectValue {
            let oldest = try object["oldest"].map { (value) throws(MalformedData) in try Entry(stored: value) }
            dropped = Dropped(redoable: try [Entry](stored: object["redo"]), oldest: oldest)
        }
        self.init(
            undoable: try [Entry](stored: object["undo"]), redoable: try [Entry](stored: object["redo"]),
            dropped: dropped)
    }
}

extension [History.Entry] {
    fileprivate var stored: [JSONValue] { map { .object($0.stored) } }

    fileprivate init(stored value: JSONValue?) throws(MalformedData) {
        self = []
        for entry in (value?.arrayValue ?? []).suffix(History.capacity) { append(try Element(stored: entry)) }
    }
}

extension History.Entry {
    fileprivate var stored: JSONObject { ["before": .object(before.stored), "after": .object(after.stored)] }

    fileprivate convenience init(stored value: JSONValue) throws(MalformedData) {
        guard let before = value.objectValue?["before"]?.objectValue,
            let after = value.objectValue?["after"]?.objectValue
        else { throw MalformedData() }
        self.init(before: try Snapshot(stored: before), after: try Snapshot(stored: after))
    }
}

extension Snapshot {
    fileprivate var stored: JSONObject {
        var object: JSONObject = ["cells": .object(cells.stored)]
        object["slots"] = slots.stored
        object["settings"] = settings.map { .object($0.storedSettings) }
        return object
    }

    fileprivate init(stored object: JSONObject) throws(MalformedData) {
        let settings = try object["settings"]?.objectValue.map { (settings) throws(MalformedData) in
            try Pattern(stored: settings)
        }
        self.init(
            cells: try Cells(stored: object["cells"]?.objectValue ?? [:]),
            slots: try PlayingSlots(stored: object["slots"]), settings: settings)
    }
}
