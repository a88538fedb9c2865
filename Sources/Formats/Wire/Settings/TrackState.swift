import JSON
import Music
import PatternFormat

/// The settings of one track.
public struct TrackState: Equatable, Sendable {
    /// The values of the track's parameters.
    public var values: [Parameter: ParameterValue]

    public init(_ values: [Parameter: ParameterValue] = [:]) {
        self.values = values
    }

    /// A track's settings among the instrument's.
    public init(_ settings: ParameterValues, of track: Track) {
        self.init(
            Dictionary(uniqueKeysWithValues: Parameter.of(track).map { ($0, settings[$0, track]) }))
    }
}

extension TrackState: WireMessage {
    /// `{"mute": false, "solo": false, "gain": 0, "pan": 0, ...}`, and all other track parameters of the table.
    public static let kind = Kind<TrackState>.object(
        schema: .settings(Parameter.ofTracks),
        reading: { (fields) throws(FieldError) in
            var state = TrackState()
            for parameter in Parameter.ofTracks {
                state.values[parameter] = try fields.setting(parameter)
            }
            return state
        },
        writing: { state in
            var object = JSONObject()
            for parameter in Parameter.ofTracks {
                if let value = state.values[parameter] { object.set(parameter, to: value) }
            }
            return object
        }
    ).defined(as: "Track")
}
