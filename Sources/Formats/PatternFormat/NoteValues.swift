import JSON
import Music

// Values of notes in pattern files and methods: members named after their rows, which files omit while they have their
// defaults.
//
//     {"col": 4, "pitch": 69, "velocity": "normal", "level": -6}

extension NoteValue {
    /// The values that it may have, as numbers.
    public var kind: Kind<Int> { NoteValue.kinds[Int(rawValue)] }

    /// Cached, because a pattern may have thousands of notes with values.
    private static let kinds = allCases.map { value in
        Kind<ParameterValue>.values(value.row.kind).refined(
            expected: value.row.kind.expected, { value.number(of: $0) }, back: { value.value(of: $0) })
    }
}

extension Note {
    /// The values that are not the defaults.
    public var valueMembers: JSONObject {
        guard hasValues else { return [:] }
        let others = NoteValue.allCases.filter { self[$0] != Note()[$0] }
        return JSONObject(others, named: \.row.name) { $0.kind.json(of: self[$0]) }
    }
}

extension Fields {
    public func noteValues() throws(FieldError) -> [NoteValue: Int] {
        var values: [NoteValue: Int] = [:]
        for value in NoteValue.allCases { values[value] = try optional(value.row.name, value.kind) }
        return values
    }
}
