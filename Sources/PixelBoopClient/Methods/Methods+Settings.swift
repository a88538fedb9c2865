import Music
import Wire

extension PixelBoopClient {
    /// Sets a parameter of the whole instrument.
    ///
    /// - Returns: The value that is kept.
    @discardableResult
    public func set(_ parameter: Parameter, to value: ParameterValue) async throws -> ParameterValue {
        guard let method = Methods.setting(parameter) else { preconditionFailure("\(parameter) belongs to tracks") }
        return try await call(method, [parameter: value])[parameter] ?? value
    }

    /// Sets what tempo and position follow, and who is given ours: ``Parameter/syncSource``, ``Parameter/syncLead``.
    public func setSync(_ values: [Parameter: ParameterValue]) async throws {
        guard let method = Methods.setting(.syncSource) else {
            preconditionFailure("there is a method for each parameter")
        }
        _ = try await call(method, values)
    }

    /// Sets parameters of a track.
    ///
    /// - Returns: All settings of the track as they are now.
    @discardableResult
    public func set(_ track: Track, _ values: [Parameter: ParameterValue]) async throws -> TrackState {
        try await call(Methods.track, (track, values))
    }
}
