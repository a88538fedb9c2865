import JSON
import Music

// Parameters in pattern files: those of version 1 as members of their own, others in the optional member `sounds`, which
// is left out while all of them have their defaults:
//
//     "sounds": {"melody": {"tone": 7}, "reverb": {"time": 1.8}}
//
// and the pattern's other parameters in objects of their groups, left out while they have their defaults:
//
//     "dice": {"seed": 7}

extension PatternFormat {
    /// The parameters that are members of their own, in the order of the file.
    static let members: [(name: String, parameter: Parameter)] = [
        ("bpm", .tempo), ("scale", .scale), ("rootNote", .root), ("length", .length), ("swing", .swing),
    ]

    /// The parameters in `sounds`, each with its track.
    private static let sounds: [(parameter: Parameter, track: Track?)] =
        ([nil] + Track.allCases).flatMap { track in
            (track.map(Parameter.of) ?? Parameter.ofWhole).filter { $0.row.home == .sounds }.map { ($0, track) }
        }

    private static let groups = Parameter.ofWhole.filter { parameter in
        parameter.row.home == .pattern && !members.contains { $0.parameter == parameter }
    }

    /// Adds the groups of parameters that do not have their defaults.
    static func encodeGroups(_ parameters: ParameterValues, into object: inout JSONObject) {
        for parameter in groups where parameters[parameter] != parameter.row.defaultValue() {
            let path = path(to: parameter, of: nil)
            object[path.group] = .object([path.name: parameters[parameter].json])
        }
    }

    static func readGroups(_ fields: Fields, into parameters: inout ParameterValues) throws(FieldError) {
        for parameter in groups {
            let path = path(to: parameter, of: nil)
            try fields.inside(path.group) { (group) throws(FieldError) in
                try group.read(parameter, at: path.name, into: &parameters)
            }
        }
    }

    static let groupSchemas = JSONObject(
        groups.map { parameter in
            let path = path(to: parameter, of: nil)
            let schema = Kind.values(parameter.row.kind()).schema.json
            return .init(
                name: path.group, value: ["type": "object", "properties": .object([path.name: .object(schema)])])
        })

    /// The member `sounds`, nil while all its parameters have their defaults.
    static func encodeSounds(_ parameters: ParameterValues) -> JSONValue? {
        let isDefault = sounds.allSatisfy {
            parameters[$0.parameter, $0.track] == $0.parameter.row.defaultValue(on: $0.track)
        }
        guard !isDefault else { return nil }
        var object = JSONObject()
        for (parameter, track) in sounds {
            let path = path(to: parameter, of: track)
            var group = object[path.group]?.objectValue ?? JSONObject()
            group[path.name] = parameters[parameter, track].json
            object[path.group] = .object(group)
        }
        return .object(object)
    }

    static func readSounds(_ fields: Fields, into parameters: inout ParameterValues) throws(FieldError) {
        for (parameter, track) in sounds {
            let path = path(to: parameter, of: track)
            try fields.inside(path.group) { (group) throws(FieldError) in
                try group.read(parameter, of: track, at: path.name, into: &parameters)
            }
        }
    }

    /// The member `sounds` as a JSON Schema.
    static let soundsSchema: JSONObject = {
        var groups: JSONObject = [:]
        for (parameter, track) in sounds {
            let path = path(to: parameter, of: track)
            var properties = groups[path.group]?.objectValue?["properties"]?.objectValue ?? [:]
            properties[path.name] = .object(
                Kind.values(parameter.row.kind(on: track))
                    .described(as: ["default": parameter.row.defaultValue(on: track).json]).schema.json)
            groups[path.group] = ["type": "object", "properties": .object(properties)]
        }
        return ["type": "object", "properties": .object(groups)]
    }()

    /// `melody`, `tone`; for a parameter of the whole, the group and the rest of its name: `reverb`, `time`.
    private static func path(to parameter: Parameter, of track: Track?) -> (group: String, name: String) {
        let row = parameter.row
        return (track?.name ?? String(row.name.prefix { $0 != "." }), row.argument)
    }
}

extension Fields {
    /// Sets a parameter to the value of a member, if there is one.
    func read(
        _ parameter: Parameter, of track: Track? = nil, at member: String, into parameters: inout ParameterValues
    ) throws(FieldError) {
        if let value = try optional(member, .values(parameter.row.kind(on: track))) {
            parameters.set(parameter, on: track, to: value)
        }
    }
}
