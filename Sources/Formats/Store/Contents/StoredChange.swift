import JSON
import Music
import PatternFormat

// A change as stored in a row: an object with one member, named after the kind of change.
//
//     {"set": {"parameter": "gain", "track": "bass", "value": -6}}
//
// A row has an array of them, which were made together.

extension [DocumentChange] {
    /// The content of the row of changes that are restored together or not at all.
    var storedBytes: [UInt8] { JSONValue.array(map { .object($0.stored) }).bytes }

    /// Reads ``storedBytes``.
    init(storedBytes bytes: [UInt8]) throws(MalformedData) {
        guard let array = (try? JSONValue(parsing: bytes))?.arrayValue else { throw MalformedData() }
        self = []
        for value in array { append(try DocumentChange(stored: value)) }
    }
}

extension DocumentChange {
    var stored: JSONObject {
        switch self {
        case .edit(let slots): ["edit": ["slots": .object(slots.stored)]]
        case .launch(let slots): ["launch": ["slots": .object(slots.stored)]]
        case .replacePattern(let pattern): ["replacePattern": .object(pattern.stored)]
        case .startNew: ["startNew": [:]]
        case .undo: ["undo": [:]]
        case .redo: ["redo": [:]]
        case .retract: ["retract": [:]]
        case .setName(let name): ["setName": ["name": .string(name)]]
        case .bind(let binding): ["bind": ["binding": Kind<MidiBinding>.binding.json(of: binding)]]
        case .unbind(let trigger): ["unbind": ["on": Kind<MidiTrigger>.trigger.json(of: trigger)]]
        case .set(let parameter, let track, let value):
            ["set": .object(StoredSetting(parameter, on: track, value).stored)]
        case .adjust(let parameter, let track, let value, let continues):
            ["adjust": .object(StoredSetting(parameter, on: track, value).stored.continued(continues))]
        }
    }

    /// Reads ``stored``.
    init(stored value: JSONValue) throws(MalformedData) {
        guard let kind = value.objectValue?.members.first, let content = kind.value.objectValue else {
            throw MalformedData()
        }
        switch kind.name {
        case "edit":
            let slots = try [Slot: SlotNotes](stored: content["slots"]?.objectValue ?? [:])
            guard Set(slots.keys.map(\.track)).count == slots.count else { throw MalformedData() }
            self = .edit(slots)
        case "launch": self = .launch(try [Slot](stored: content["slots"]?.objectValue ?? [:]))
        case "replacePattern": self = .replacePattern(try Pattern(stored: content))
        case "startNew": self = .startNew
        case "undo": self = .undo
        case "redo": self = .redo
        case "retract": self = .retract
        case "setName":
            guard let name = content["name"]?.stringValue else { throw MalformedData() }
            self = .setName(name)
        case "bind":
            guard let binding = content["binding"].flatMap(MidiBinding.init(stored:)) else { throw MalformedData() }
            self = .bind(binding)
        case "unbind":
            guard let trigger = content["on"].flatMap(MidiTrigger.init(stored:)) else { throw MalformedData() }
            self = .unbind(trigger)
        case "set":
            let setting = try StoredSetting(stored: content)
            self = .set(setting.parameter, on: setting.track, to: setting.value)
        case "adjust":
            let setting = try StoredSetting(stored: content)
            let continues = content["continues"]?.boolValue == true
            self = .adjust(setting.parameter, on: setting.track, to: setting.value, continues: continues)
        default: throw MalformedData()
        }
    }
}

extension JSONObject {
    /// A change that continues the newest step of its parameter, or not.
    fileprivate func continued(_ continues: Bool) -> JSONObject {
        guard continues else { return self }
        var object = self
        object["continues"] = .bool(true)
        return object
    }
}

extension MidiBinding {
    /// Reads a stored binding; nil for an unknown one.
    init?(stored json: JSONValue) {
        guard let binding = try? Kind<MidiBinding>.binding.value(of: json, field: "binding") else { return nil }
        self = binding
    }
}

extension MidiTrigger {
    fileprivate init?(stored json: JSONValue) {
        guard let trigger = try? Kind<MidiTrigger>.trigger.value(of: json, field: "on") else { return nil }
        self = trigger
    }
}
