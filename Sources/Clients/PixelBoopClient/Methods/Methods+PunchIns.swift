import Instrument
import Music
import Wire

extension PixelBoopClient {
    /// Holds an effect, or moves its amount, until ``endPunchIn(_:)`` or the end of this connection; without audio this
    /// throws.
    ///
    /// - Parameters:
    ///   - effect: What it does.
    ///   - amount: The place in the effect's zone, 0 to 1.
    ///   - tracks: The tracks on which it acts; by default all.
    /// - Returns: Whether this connection holds it; if not, it must end it first.
    @discardableResult
    public func punchIn(
        _ effect: PunchEffect, amount: Double, on tracks: [Track] = Track.allCases
    ) async throws -> Bool {
        try await call(Methods.setPunchIn, (effect, amount, tracks))
    }

    /// Lets go of an effect.
    public func endPunchIn(_ effect: PunchEffect) async throws { try await call(Methods.endPunchIn, effect) }
}
