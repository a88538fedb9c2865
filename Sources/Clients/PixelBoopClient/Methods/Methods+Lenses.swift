import Music
import Wire

extension PixelBoopClient {
    /// Shows a track through a lens, on all displays; nil shows its notes again.
    public func setLens(_ track: Track, _ lens: Lens?) async throws { try await call(Methods.setLens, (track, lens)) }

    /// Resets a lens's value to its default on all notes of a track's playing slot.
    public func resetLens(_ track: Track, _ lens: Lens) async throws {
        try await call(Methods.resetLens, (track, lens))
    }

    /// Gives the dice the next seed, and returns it.
    public func rollDice() async throws -> Int { try await call(Methods.rollDice) }

    /// Freezes what dice and cycles decided in a track's last complete pass.
    public func freezeDice(_ track: Track) async throws { try await call(Methods.freezeDice, track) }

    /// Holds or releases FILL.
    public func setFill(_ isOn: Bool) async throws { try await call(Methods.setFill, isOn) }
}

extension PixelBoopClient {
    /// Sets a parameter's value at the start of a step; nil removes that point.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - parameter: A parameter that can move.
    ///   - step: 0 to 31, hidden steps too.
    ///   - value: In the parameter's range.
    ///   - slot: 1 to 8; nil for the playing one.
    public func setMotion(
        _ track: Track, _ parameter: Parameter, step: Int, to value: Double?, slot: Int? = nil
    ) async throws {
        try await call(Methods.setMotion, MotionCall(track, parameter, step: step, value: value, slot: slot))
    }

    /// Removes all points of a parameter, or of all parameters if nil.
    public func clearMotion(_ track: Track, _ parameter: Parameter? = nil, slot: Int? = nil) async throws {
        try await call(Methods.clearMotion, (track, parameter, slot))
    }

    /// How parameters of a track move while a slot plays; nil for the playing one.
    public func motions(of track: Track, slot: Int? = nil) async throws -> Motions {
        try await call(Methods.motion, (track, slot))
    }
}
