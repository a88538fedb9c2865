import Music
import Wire

extension PixelBoopClient {
    /// Shows what a track's notes do besides their pitch, for all who look; nil for their pitches.
    public func setLens(_ track: Track, _ lens: Lens?) async throws { try await call(Methods.setLens, (track, lens)) }

    /// Gives what a track plays a lens's default.
    public func resetLens(_ track: Track, _ lens: Lens) async throws {
        try await call(Methods.resetLens, (track, lens))
    }

    /// Gives the dice the next seed, which is returned.
    public func rollDice() async throws -> Int { try await call(Methods.rollDice) }

    /// Makes what dice and cycles decided in a track's last whole pass stay.
    public func freezeDice(_ track: Track) async throws { try await call(Methods.freezeDice, track) }

    /// Holds FILL, or no longer.
    public func setFill(_ isOn: Bool) async throws { try await call(Methods.setFill, isOn) }
}
