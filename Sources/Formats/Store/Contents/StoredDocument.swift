import JSON
import Music
import PatternFormat

// A whole document with its history, as it is stored in a snapshot:
//
//     {"pattern": {...}, "parameters": {...}, "history": {"undo": [step, ...], "redo": [step, ...], "dropped": {...}}}

extension Document {
    var stored: JSONObject {
        [
            "pattern": .object(pattern.stored), "parameters": .object(parameters.stored { !$0.isOfPattern }),
            "history": .object(history.stored),
            "bindings": .array(bindings.all.map { Kind<MidiBinding>.binding.json(of: $0) }),
        ]
    }

    /// Reads ``stored``. Missing settings get their defaults.
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

    /// The bytes of ``stored``.
    var storedBytes: [UInt8] { JSONValue.object(stored).bytes }

    /// Reads ``storedBytes``.
    init(storedBytes bytes: [UInt8]) throws(MalformedData) {
        guard let object = (try? JSONValue(parsing: bytes))?.objectValue else { throw MalformedData() }
        try self.init(stored: object)
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
            dropped = Dropped(redoable: try [Entry](stored: object["redo"]), oldest: nil)
            if let oldest = object["oldest"] { dropped?.oldest = try Entry(stored: oldest) }
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

// A step stores for each side the edited notes and their slots, a whole pattern, or a parameter:
//
//     {"before": {"notes": {"bass": {"2": "..."}}}, "after": ...}
//     {"before": {"cells": {...}, "settings": {...}, "mixer": {...}}, "after": ...}
//     {"before": {"parameter": "gain", "track": "bass", "value": -6}, "after": ...}

extension History.Entry {
    fileprivate var stored: JSONObject { ["before": .object(before.stored), "after": .object(after.stored)] }

    fileprivate convenience init(stored value: JSONValue) throws(MalformedData) {
        guard let step = value.objectValue, let before = step["before"]?.objectValue,
            let after = step["after"]?.objectValue
        else { throw MalformedData() }
        self.init(before: try History.Side(stored: before), after: try History.Side(stored: after))
    }
}

extension History.Side {
    fileprivate var stored: JSONObject {
        switch self {
        case .notes(let slots): return ["notes": .object(slots.stored)]
        case .pattern(let pattern, let mixer):
            var object: JSONObject = ["cells": .object(pattern.storedCells)]
            object["slots"] = pattern.playing.all.storedAfterFirst
            object["settings"] = .object(pattern.storedSettings)
            object["mixer"] = mixer.map { .object($0.stored(Parameter.ofMixer.contains)) }
            return object
        case .parameter(let parameter, let track, let value):
            return StoredSetting(parameter, on: track, value).stored
        }
    }

    fileprivate init(stored object: JSONObject) throws(MalformedData) {
        if let notes = object["notes"]?.objectValue {
            self = .notes(try [Slot: SlotNotes](stored: notes))
            return
        }
        if object["parameter"] != nil {
            let setting = try StoredSetting(stored: object)
            self = .parameter(setting.parameter, on: setting.track, setting.value)
            return
        }
        guard let settings = object["settings"]?.objectValue else { throw MalformedData() }
        let cells = object["cells"]?.objectValue ?? [:]
        self = .pattern(
            try Pattern(stored: settings, cells: cells),
            mixer: object["mixer"]?.objectValue.map(ParameterValues.init(stored:)))
    }
}

extension Pattern {
    /// The stored form without the notes of the playing slots.
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

    /// The stored form of the playing slots' notes.
    var storedCells: JSONObject { notes(of: playing.all).storedByTrack }

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

// Parameters in snapshots: members by name, those of tracks in an object for each track.
//
//     {"bpm": 120, "tracks": {"melody": {"gain": 0}}}

extension ParameterValues {
    /// The stored form of some parameters.
    func stored(_ isIncluded: (Parameter) -> Bool) -> JSONObject {
        var object = members(on: nil, Parameter.ofWhole.filter(isIncluded))
        let tracks = JSONObject(Track.allCases, named: \.name) { track in
            let members = members(on: track, Parameter.of(track).filter(isIncluded))
            return members.isEmpty ? nil : .object(members)
        }
        if !tracks.isEmpty { object["tracks"] = .object(tracks) }
        return object
    }

    /// Reads ``stored(_:)``. Missing, unknown or unusable values are left at their defaults.
    init(stored object: JSONObject) {
        self.init()
        read(object, on: nil)
        for track in Track.allCases {
            if let members = object["tracks"]?.objectValue?[track.name]?.objectValue { read(members, on: track) }
        }
    }

    private func members(on track: Track?, _ parameters: [Parameter]) -> JSONObject {
        JSONObject(parameters, named: \.row.name) { self[$0, track].json }
    }

    private mutating func read(_ members: JSONObject, on track: Track?) {
        for member in members.members {
            guard let parameter = Parameter(name: member.name), let value = ParameterValue(member.value) else {
                continue
            }
            set(parameter, on: track, to: value)
        }
    }
}
