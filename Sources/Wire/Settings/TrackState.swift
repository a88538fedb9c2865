import JSON
import Music
import PatternFormat

/// What the parameters of one track are set to.
public struct TrackState: Equatable, Sendable {
    /// The values of the parameters that the track has.
    public var values: [Parameter: ParameterValue]

    /// A track that is set to this.
    public init(_ values: [Parameter: ParameterValue] = [:]) {
        self.values = values
    }

    /// What the instrument has for a track.
    public init(_ settings: ParameterValues, of track: Track) {
        self.init(
            Dictionary(uniqueKeysWithValues: Parameter.of(track).map { ($0, settings[$0, track]) }))
    }
}

extension TrackState: WireMessage {
    /// `{"mute": false, "solo": false, "gain": 0, "pan": 0, ...}`, and whatever else the table has for tracks.
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
