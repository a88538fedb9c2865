import JSON
import Music
import PatternFormat

// Methods derived from the table of parameters: one for each parameter, or group of parameters, of the whole
// instrument, and one for those of the tracks. A new row needs nothing here.
extension Methods {
    /// The methods that set parameters of the whole instrument.
    public static let instrumentSettings: [Method<[Parameter: ParameterValue], [Parameter: ParameterValue]>] = {
        var names: [String] = []
        for parameter in Parameter.ofWhole where !names.contains(parameter.row.method) {
            names.append(parameter.row.method)
        }
        return names.map { name in
            .setting(name, Parameter.ofWhole.filter { $0.row.method == name })
        }
    }()

    /// The method that sets a parameter of the whole instrument.
    public static func setting(
        _ parameter: Parameter
    ) -> Method<[Parameter: ParameterValue], [Parameter: ParameterValue]>? {
        instrumentSettings.first { $0.name == parameter.row.method }
    }

    public static let track = Method<(Track, [Parameter: ParameterValue]), TrackState>(
        MethodDescription(
            name: "track.set", summary: "Changes a track's settings, and returns them.",
            parameters: trackParameter.descriptions
                + Parameter.ofTracks.map { ParameterDescription($0, isRequired: false) },
            result: TrackState.kind.schema, refusals: [],
            example: .init(
                ["track": "bass", "mute": true, "gain": -6],
                returns: .object(TrackState.example([.mute: true, .gain: -6]).json))),
        result: TrackState.kind,
        reading: { (fields) throws(FieldError) in
            let track = try trackParameter.read(fields)
            return (track, try fields.arguments(Parameter.ofTracks, on: track))
        },
        writing: { track, values in
            var object: JSONObject = ["track": .string(track.name)]
            for parameter in Parameter.ofTracks { object[parameter.row.argument] = values[parameter]?.json }
            return object
        })

    static let settings = (instrumentSettings.map(\.description) + [track.description]).map { $0.bindable() }

    private static let trackParameter = MethodParameter<Track>.required("track", .name, "The track.")
}

extension Method where Parameters == [Parameter: ParameterValue], Result == [Parameter: ParameterValue] {
    /// `Sets the tempo.`, `Sets the dice seed.`, `Changes any of the reverb settings: time, level.`
    private static func summary(of parameters: [Parameter]) -> String {
        let row = parameters[0].row
        let words = row.name.split(separator: ".")
        guard parameters.count > 1 else {
            return "Sets the \(words.count > 1 ? words.joined(separator: " ") : row.title.lowercased())."
        }
        return "Changes any of the \(words[0]) settings: \(parameters.map(\.row.argument).joined(separator: ", "))."
    }

    /// A method for parameters of the whole instrument: one that is required, or several that are optional. It returns
    /// the values that were rounded.
    fileprivate static func setting(_ name: String, _ parameters: [Parameter]) -> Method {
        let isRequired = parameters.count == 1
        let rounded = parameters.filter(\.isRounded)
        let result = Kind<[Parameter: ParameterValue]>.object(
            schema: rounded.isEmpty ? Kind<Void>.nothing.schema : .settings(rounded),
            reading: { (fields) throws(FieldError) in try fields.arguments(rounded, on: nil) },
            writing: { values in JSONObject(rounded, named: \.row.argument) { values[$0]?.json } })
        let examples = JSONObject(parameters, named: \.row.argument) { $0.exampleValue.json }
        let kept = Dictionary(uniqueKeysWithValues: rounded.map { ($0, $0.exampleValue) })
        let description = MethodDescription(
            name: name,
            summary: summary(of: parameters),
            parameters: parameters.map { ParameterDescription($0, isRequired: isRequired) }, result: result.schema,
            refusals: parameters.contains(.tempo) ? [.followsOutside] : [],
            example: .init(examples, returns: result.json(of: kept)))
        return Method(
            description, result: result,
            reading: { (fields) throws(FieldError) in
                if isRequired { return [parameters[0]: try fields(parameters[0].row.argument, parameters[0].values)] }
                return try fields.arguments(parameters, on: nil)
            },
            writing: { values in JSONObject(parameters, named: \.row.argument) { values[$0]?.json } })
    }
}

extension ParameterDescription {
    fileprivate init(_ parameter: Parameter, isRequired: Bool) {
        self.init(
            parameter.row.argument, parameter.values.described(as: ["x-initial": parameter.initialValue]),
            parameter.row.summary, isRequired: isRequired)
    }
}

extension Fields {
    /// The parameters among the members, by their argument names.
    fileprivate func arguments(
        _ parameters: [Parameter], on track: Track?
    ) throws(FieldError) -> [Parameter: ParameterValue] {
        var values: [Parameter: ParameterValue] = [:]
        for parameter in parameters where object[parameter.row.argument] != nil {
            let row = parameter.row
            guard row.scope.contains(track) else {
                throw FieldError(
                    field: row.argument, problem: .invalid("\(track?.name ?? "the instrument") has no such parameter"))
            }
            values[parameter] = try optional(row.argument, .values(row.kind(on: track)))
        }
        return values
    }
}

extension Parameter {
    /// Whether the stored value may differ from the one given.
    fileprivate var isRounded: Bool {
        if case .number(_, _, .some, _) = row.kind() { true } else { false }
    }

    /// An example value, other than the default if possible.
    fileprivate var exampleValue: ParameterValue {
        switch row.kind() {
        case .number(let range, _, _, _): .number(range.upperBound)
        case .integer(let range, _): .number(Double(range.lowerBound))
        case .numbers(let numbers, _): .number(Double(numbers[0]))
        case .toggle: .toggle(row.defaultValue().isOn != true)
        case .choice(let names), .name(let names): .choice(names[names.count - 1])
        case .selection(let names): .selection([names[0]])
        }
    }
}

extension TrackState {
    fileprivate static func example(_ changes: [Parameter: ParameterValue]) -> TrackState {
        var state = TrackState(ParameterValues(), of: .bass)
        state.values.merge(changes) { $1 }
        return state
    }
}
