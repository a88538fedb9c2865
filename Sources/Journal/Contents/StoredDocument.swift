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

// A step holds, for each side, the notes that an edit wrote and the slots that they are in, or all of a pattern:
//
//     {"before": {"cells": {"bass": "..."}, "slots": {"bass": 2}}, "after": ...}
//     {"before": {"cells": {...}, "settings": {...}, "mixer": {...}}, "after": ...}

extension History.Entry {
    fileprivate var stored: JSONObject { ["before": .object(before.stored), "after": .object(after.stored)] }

    fileprivate convenience init(stored value: JSONValue) throws(MalformedData) {
        guard let before = value.objectValue?["before"]?.objectValue,
            let after = value.objectValue?["after"]?.objectValue
        else { throw MalformedData() }
        let sides = (try History.Side(stored: before), try History.Side(stored: after))
        guard case (.notes(let old), .notes(let new)) = sides else {
            self.init(before: sides.0, after: sides.1)
            return
        }
        // The first version stored all that played.
        let written = new.filter { $1 != old[$0] }
        self.init(before: .notes(old.filter { written[$0.key] != nil }), after: .notes(written))
    }
}

extension History.Side {
    fileprivate var stored: JSONObject {
        switch self {
        case .notes(let slots):
            var object: JSONObject = ["cells": .object(slots.storedByTrack)]
            object["slots"] = Array(slots.keys).storedAfterFirst
            return object
        case .pattern(let pattern, let mixer):
            var object: JSONObject = ["cells": .object(pattern.storedCells)]
            object["slots"] = pattern.playing.all.storedAfterFirst
            object["settings"] = .object(pattern.storedSettings)
            object["mixer"] = mixer.map { .object($0.stored(Parameter.ofMixer.contains)) }
            return object
        }
    }

    fileprivate init(stored object: JSONObject) throws(MalformedData) {
        let cells = object["cells"]?.objectValue ?? [:]
        guard let settings = object["settings"]?.objectValue else {
            self = .notes(try [Slot: SlotNotes](storedByTrack: cells, of: PlayingSlots(stored: object["slots"])))
            return
        }
        self = .pattern(
            try Pattern(stored: settings, cells: cells),
            mixer: object["mixer"]?.objectValue.map(ParameterValues.init(stored:)))
    }
}
