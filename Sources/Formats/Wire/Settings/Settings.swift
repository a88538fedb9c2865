import JSON
import Music
import PatternFormat

// Parameters as members of the state: each under its name, those of a group (`reverb.time`) in an object for the group.

extension Kind<ParameterValues> {
    /// The parameters of the whole instrument, and `tracks` with those of each track. An older version's missing
    /// members get defaults.
    static let settings = Kind.object(
        schema: settingsSchema,
        reading: { (fields) throws(FieldError) in
            var settings = ParameterValues()
            for parameter in Parameter.ofWhole {
                if let value = try fields.setting(parameter) { settings.set(parameter, to: value) }
            }
            try fields.inside("tracks") { (tracks) throws(FieldError) in
                for track in Track.allCases {
                    let state = try tracks.optional(track.name, TrackState.kind) ?? TrackState()
                    for (parameter, value) in state.values { settings.set(parameter, on: track, to: value) }
                }
            }
            return settings
        },
        writing: { settings in
            var object = JSONObject()
            for parameter in Parameter.ofWhole { object.set(parameter, to: settings[parameter]) }
            object["tracks"] = .object(
                JSONObject(Track.allCases, named: \.name) { .object(TrackState(settings, of: $0).json) })
            return object
        })

    private static let settingsSchema: Schema = {
        var tracks: Schema = ["type": "object", "properties": [:], "required": []]
        for track in Track.allCases { tracks.addMember(track.name, .settings(Parameter.of(track), on: track)) }
        var schema = Schema.settings(Parameter.ofWhole)
        schema.addMember("tracks", tracks)
        return schema
    }()
}

extension Schema {
    /// An object with a member for each parameter; with a track, limited to the values that the track may have.
    static func settings(_ parameters: [Parameter], on track: Track? = nil) -> Schema {
        var schema: Schema = ["type": "object", "properties": [:], "required": []]
        for parameter in parameters {
            let (group, name) = parameter.path
            let values = track.map { Kind.values(parameter.row.kind(on: $0)) } ?? parameter.values
            guard let group else {
                schema.addMember(name, values.schema, isRequired: track != nil || parameter.isEverywhere)
                continue
            }
            var inner = Schema(
                schema.json["properties"]?.objectValue?[group]?.objectValue
                    ?? ["type": "object", "properties": [:], "required": []])
            inner.addMember(name, values.schema)
            schema.addMember(group, inner)
        }
        return schema
    }

    fileprivate mutating func addMember(_ name: String, _ member: Schema, isRequired: Bool = true) {
        var properties = json["properties"]?.objectValue ?? [:]
        var required = json["required"]?.arrayValue ?? []
        if isRequired, properties[name] == nil { required.append(.string(name)) }
        properties[name] = .object(member.json)
        json["properties"] = .object(properties)
        json["required"] = .array(required)
        define(member.definitions)
    }
}

extension Fields {
    /// The value of a parameter, nil if left out. Values in another version's range are accepted.
    func setting(_ parameter: Parameter) throws(FieldError) -> ParameterValue? {
        let (group, name) = parameter.path
        guard let group else { return try value(of: parameter, name) }
        var value: ParameterValue?
        try inside(group) { (fields) throws(FieldError) in value = try fields.value(of: parameter, name) }
        return value
    }

    private func value(of parameter: Parameter, _ name: String) throws(FieldError) -> ParameterValue? {
        guard let json = object[name] else { return nil }
        guard let value = ParameterValue(json), value.isLike(parameter.row.defaultValue()) else {
            throw FieldError(field: name, expected: parameter.values.expected, found: json)
        }
        return value
    }
}

extension ParameterValue {
    fileprivate func isLike(_ other: ParameterValue) -> Bool {
        switch (self, other) {
        case (.number, .number), (.toggle, .toggle), (.choice, .choice), (.selection, .selection): true
        default: false
        }
    }
}

extension JSONObject {
    mutating func set(_ parameter: Parameter, to value: ParameterValue) {
        let (group, name) = parameter.path
        guard let group else {
            self[name] = value.json
            return
        }
        var members = self[group]?.objectValue ?? [:]
        members[name] = value.json
        self[group] = .object(members)
    }
}

extension Parameter {
    /// Its group, if it has one, and its name in the group.
    fileprivate var path: (group: String?, name: String) { Parameter.paths[index] }

    private static let paths = allCases.map { parameter in
        let parts = parameter.row.name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (group: parts[0], name: parts[1]) : (group: String?.none, name: parts[0])
    }
}

extension Parameter {
    /// The kind of its values, on any track.
    var values: Kind<ParameterValue> { .values(row.anyKind) }

    /// A new instrument's value, or an object with each track's if they differ.
    var initialValue: JSONValue {
        guard row.scope != .whole else { return row.defaultValue().json }
        let values = JSONObject(Track.allCases.filter(row.scope.contains), named: \.name) {
            row.defaultValue(on: $0).json
        }
        let first = values.members[0].value
        return values.members.allSatisfy { $0.value == first } ? first : .object(values)
    }

    /// Whether the instrument, or every track, has this parameter.
    var isEverywhere: Bool { row.scope == .whole || row.scope == .everyTrack }

    /// The parameters that at least one track has, in the order of the table.
    public static let ofTracks = allCases.filter { $0.row.scope != .whole }
}
