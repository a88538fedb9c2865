import Instrument
import Music
import Session
import Wire

// The methods derived from the table of parameters.
extension Handlers {
    static let settings: [Handler] =
        Methods.instrumentSettings.map { method in
            Handler(method) { call, values in
                try call.set(values, on: nil)
                let settings = call.settings
                return values.reduce(into: [:]) { $0[$1.key] = settings[$1.key] }
            }
        } + [
            Handler(Methods.track) { call, parameters in
                let (track, values) = parameters
                try call.set(values, on: track)
                return TrackState(call.settings, of: track)
            }
        ]
}

extension MethodCall {
    fileprivate var settings: ParameterValues { ask { ParameterValues($0.document) } }

    /// Sets parameters of a track, or of the whole instrument, as one change.
    fileprivate func set(_ values: [Parameter: ParameterValue], on track: Track?) throws {
        try perform(
            .change(
                Parameter.allCases.compactMap { parameter in
                    values[parameter].map { .set(parameter, on: track, to: $0) }
                }))
    }
}
