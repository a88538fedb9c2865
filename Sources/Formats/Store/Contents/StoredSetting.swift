import JSON
import Music
import PatternFormat

/// A parameter with its value as stored: `{"parameter": "gain", "track": "bass", "value": -6}`, without `track` if it is a
/// global one.
struct StoredSetting {
    let parameter: Parameter
    let track: Track?
    let value: ParameterValue

    var stored: JSONObject {
        var object: JSONObject = ["parameter": .string(parameter.row.name)]
        object["track"] = track.map { .string($0.name) }
        object["value"] = value.json
        return object
    }

    init(_ parameter: Parameter, on track: Track?, _ value: ParameterValue) {
        (self.parameter, self.track, self.value) = (parameter, track, value)
    }

    /// Reads ``stored``.
    init(stored object: JSONObject) throws(MalformedData) {
        let name = object["track"]?.stringValue
        let track = name.flatMap(Track.init(name:))
        guard let parameter = object["parameter"]?.stringValue.flatMap(Parameter.init(name:)),
            let value = object["value"].flatMap(ParameterValue.init), track != nil || name == nil,
            parameter.row.scope.contains(track), parameter.row.kind(on: track).nearest(value) != nil
        else { throw MalformedData() }
        self.init(parameter, on: track, value)
    }
}
