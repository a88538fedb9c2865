import JSON
import Music

/// The content of a session's files: the document, and a newer version's data, which this one keeps without
/// understanding it.
struct SessionContent {
    private(set) var document = Document()
    /// The unknown members of the stored document.
    private(set) var unknown: JSONObject = [:]

    /// Lists the members that the writer did not know either, and only carried along.
    private static let carried = "carried"

    /// A new session.
    init() {}

    /// Reads ``stored``.
    ///
    /// - Parameter unknownNames: Receives the names that the writer knew and this program does not.
    init(stored object: JSONObject, unknownNames: inout [String]) throws(MalformedData) {
        var object = object
        let carried = Set((object[Self.carried]?.arrayValue ?? []).compactMap(\.stringValue))
        object[Self.carried] = nil
        var unknownInHistory: [String] = []
        document = try Document(stored: object, unknownInHistory: &unknownInHistory)
        // Unknown data inside history steps and lists is not kept.
        for steps in ["undo", "redo", "dropped"] { object[["history", steps]] = nil }
        let known = document.stored
        unknown = object.members(missingIn: known)
        unknownNames =
            unknown.names.filter { !carried.contains($0) } + object.names(differingFrom: known) + unknownInHistory
    }

    var stored: JSONObject {
        guard !unknown.isEmpty else { return document.stored }
        var object = document.stored.adding(unknown)
        object[Self.carried] = .array(unknown.names.map { .string($0) })
        return object
    }

    mutating func apply(_ change: DocumentChange) {
        document.apply(change)
        // A replaced pattern's unknown data is dropped with it.
        switch change {
        case .replacePattern, .startNew: unknown["pattern"] = nil
        default: break
        }
    }

    /// Applies a change from a journal, if it is known.
    mutating func apply(_ change: ReadChange) {
        switch change {
        case .known(let change, _): apply(change)
        case .edit(let notes, let amends):
            let slots = Dictionary(uniqueKeysWithValues: zip(document.pattern.playing.all, notes))
            for change in amends ? document.amendment(slots) : [.edit(slots)] { apply(change) }
        case .unknownSetting(let setting): keep(setting)
        case .unknown: break
        }
    }

    /// Keeps the new value of an unknown parameter, if the snapshot had it.
    private mutating func keep(_ setting: StoredSetting) {
        let path = (setting.track.map { ["tracks", $0] } ?? []) + [setting.parameter]
        for home in [["pattern", "parameters"], ["parameters"]] where unknown[home + path] != nil {
            unknown[home + path] = setting.value
        }
    }

    /// Replaces the document without a recorded change.
    mutating func replaceDocument(_ document: Document) { self.document = document }
}

extension JSONObject {
    /// The members that another object lacks, recursively in objects that both have.
    func members(missingIn known: JSONObject) -> JSONObject {
        JSONObject(
            members.compactMap { member in
                guard let other = known[member.name] else { return member }
                guard let mine = member.value.objectValue, let other = other.objectValue else { return nil }
                let missing = mine.members(missingIn: other)
                return missing.isEmpty ? nil : Member(name: member.name, value: .object(missing))
            })
    }

    /// The names of what another object lacks, or has with another value.
    func names(unlike other: JSONObject) -> [String] {
        members(missingIn: other).names + names(differingFrom: other)
    }

    /// The names of values that differ in another object; in its lists, objects may have more members.
    func names(differingFrom other: JSONObject) -> [String] {
        members.flatMap { member -> [String] in
            switch (member.value, other[member.name]) {
            case (.object(let mine), .object(let other)?):
                return mine.names(differingFrom: other).map { "\(member.name).\($0)" }
            case (_, nil): return []
            case (let mine, let other?): return mine.isContained(in: other) ? [] : [member.name]
            }
        }
    }

    /// This object with the members of another that it lacks, recursively in objects that both have.
    func adding(_ more: JSONObject) -> JSONObject {
        var result = self
        for member in more.members {
            switch (self[member.name], member.value) {
            case (nil, let value): result[member.name] = value
            case (.object(let mine)?, .object(let other)): result[member.name] = .object(mine.adding(other))
            default: break
            }
        }
        return result
    }

    /// The names of all values, with their paths within objects: `parameters.tracks.bass.tone`.
    var names: [String] {
        members.flatMap { member in
            let inner = member.value.objectValue?.names ?? []
            return inner.isEmpty ? [member.name] : inner.map { "\(member.name).\($0)" }
        }
    }

    /// The value at a path through objects; set only if all of these exist.
    fileprivate subscript(path: [String]) -> JSONValue? {
        get {
            path.dropFirst().reduce(path.first.flatMap { self[$0] }) { $0?.objectValue?[$1] }
        }
        set {
            guard let first = path.first else { return }
            guard path.count > 1 else {
                self[first] = newValue
                return
            }
            guard var object = self[first]?.objectValue else { return }
            object[Array(path.dropFirst())] = newValue
            self[first] = .object(object)
        }
    }
}

extension JSONValue {
    /// Whether another value is equal, but for further members of objects.
    fileprivate func isContained(in other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let other)): mine.names(unlike: other).isEmpty
        case (.array(let mine), .array(let other)):
            mine.count == other.count && zip(mine, other).allSatisfy { $0.isContained(in: $1) }
        default: self == other
        }
    }
}
