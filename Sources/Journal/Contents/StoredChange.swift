import JSON
import Music
import PatternFormat

// A change as stored in a journal: an object with one member, named after the kind of change.
//
//     {"set": {"parameter": "gain", "track": "bass", "value": -6}}
//
// Readers ignore and report unknown kinds, and unknown members of known ones. A change that an older version would
// misunderstand by ignoring a new member must be a new kind.

extension DocumentChange {
    var stored: JSONObject {
        switch self {
        case .edit(let slots): ["editSlots": ["slots": .object(slots.stored)]]
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
            ["set": .object(StoredSetting(parameter, on: track, value).json)]
        case .adjust(let parameter, let track, let value, let continues):
            ["adjust": .object(StoredSetting(parameter, on: track, value).json.continued(continues))]
        }
    }

    /// Reads a change of a kind; nil for an unknown kind or parameter.
    fileprivate init?(kind: String, _ content: JSONObject) throws(MalformedData) {
        switch kind {
        case "editSlots":
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
            guard let binding = content["binding"].flatMap(MidiBinding.init(stored:)) else { return nil }
            self = .bind(binding)
        case "unbind":
            guard let trigger = content["on"].flatMap(MidiTrigger.init(stored:)) else { return nil }
            self = .unbind(trigger)
        case "set":
            guard let change = StoredSetting(content)?.change else { return nil }
            self = change
        case "adjust":
            guard case .set(let parameter, let track, let value)? = StoredSetting(content)?.change else { return nil }
            self = .adjust(parameter, on: track, to: value, continues: content["continues"]?.boolValue == true)
        default: return nil
        }
    }

    /// The names of what is unknown in the content that this change was read from.
    fileprivate func unknownNames(in content: JSONObject, of kind: String) -> [String] {
        let names = content.names(unlike: stored[kind]?.objectValue ?? [:]).map { "\(kind).\($0)" }
        switch self {
        case .set(let parameter, let track, let value), .adjust(let parameter, let track, let value, _):
            let isKnown = parameter.row.scope.contains(track) && parameter.row.kind(on: track).checked(value) != nil
            return isKnown ? names : names + ["\(kind) \(parameter.row.name)"]
        default: return names
        }
    }
}

/// A change read from a journal.
enum ReadChange: Equatable {
    /// A change of a known kind, and the names of its unknown parts.
    case known(DocumentChange, unknownNames: [String] = [])
    /// An edit of all playing slots, as the first version wrote it; it may amend the newest undo step.
    case edit([SlotNotes], amends: Bool)
    /// Sets an unknown parameter, or a known one to an unknown value.
    case unknownSetting(StoredSetting)
    /// A change of an unknown kind.
    case unknown(kind: String)

    init(_ value: JSONValue) throws(MalformedData) {
        guard let kind = value.objectValue?.members.first, let content = kind.value.objectValue else {
            throw MalformedData()
        }
        if ["edit", "amend"].contains(kind.name) {
            guard let cells = content["cells"]?.objectValue else { throw MalformedData() }
            var notes: [SlotNotes] = []
            for track in Track.allCases { notes.append(try SlotNotes(stored: cells[track.name])) }
            self = .edit(notes, amends: kind.name == "amend")
        } else if let change = try DocumentChange(kind: kind.name, content) {
            self = .known(change, unknownNames: change.unknownNames(in: content, of: kind.name))
        } else if ["set", "adjust"].contains(kind.name), let setting = StoredSetting(content) {
            self = .unknownSetting(setting)
        } else {
            self = .unknown(kind: kind.name)
        }
    }

    /// The names of the unknown parts.
    var unknownNames: [String] {
        switch self {
        case .known(_, let names): names
        case .edit: []
        case .unknownSetting(let setting): ["set \(setting.parameter)"]
        case .unknown(let kind): [kind]
        }
    }
}

/// The setting of a parameter, known or not.
struct StoredSetting: Equatable {
    var parameter: String
    /// Nil for a parameter of the whole instrument.
    var track: String?
    var value: JSONValue

    init(parameter: String, track: String?, value: JSONValue) {
        self.parameter = parameter
        self.track = track
        self.value = value
    }

    init(_ parameter: Parameter, on track: Track?, _ value: ParameterValue) {
        self.init(parameter: parameter.row.name, track: track?.name, value: value.json)
    }

    init?(_ object: JSONObject) {
        guard let parameter = object["parameter"]?.stringValue, let value = object["value"] else { return nil }
        self.init(parameter: parameter, track: object["track"]?.stringValue, value: value)
    }

    var json: JSONObject {
        var object: JSONObject = ["parameter": .string(parameter)]
        object["track"] = track.map { .string($0) }
        object["value"] = value
        return object
    }

    /// The change, nil if the parameter, track or value is unknown.
    var change: DocumentChange? {
        let knownTrack = track.flatMap(Track.init(name:))
        guard let parameter = Parameter(name: parameter), let value = ParameterValue(value),
            knownTrack != nil || track == nil, parameter.row.scope.contains(knownTrack),
            parameter.row.kind(on: knownTrack).nearest(value) != nil
        else { return nil }
        return .set(parameter, on: knownTrack, to: value)
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
