import Music
import Wire

extension PixelBoopClient {
    /// Sets the value that a parameter has where a step starts, or with nil takes that point.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - parameter: One that can move.
    ///   - step: 0 to 31, hidden steps too.
    ///   - value: In the parameter's range.
    ///   - slot: 1 to 8; nil for the one that plays.
    public func setMotion(
        _ track: Track, _ parameter: Parameter, step: Int, to value: Double?, slot: Int? = nil
    ) async throws {
        try await call(Methods.setMotion, (track, parameter, step, value, slot))
    }

    /// Takes all points of a parameter, or with nil of all of them.
    public func clearMotion(_ track: Track, _ parameter: Parameter? = nil, slot: Int? = nil) async throws {
        try await call(Methods.clearMotion, (track, parameter, slot))
    }

    /// How parameters of a track move while a slot plays; nil for the one that plays.
    public func motions(of track: Track, slot: Int? = nil) async throws -> Motions {
        try await call(Methods.motion, (track, slot))
    }
}
