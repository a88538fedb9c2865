import Music
import Wire

extension PixelBoopClient {
    /// Presses a key, or strikes a held one again. It sounds until it is released, or this connection ends.
    ///
    /// - Parameters:
    ///   - key: A note of a track, or a MIDI key on the track's channel.
    ///   - velocity: 1 to 127; 0 releases the key.
    public func press(_ key: PlayedKey, velocity: Int = 64) async throws {
        try await call(Methods.pressKey, (key, velocity))
    }

    /// Releases a key that this connection holds.
    ///
    /// - Parameter key: As it was pressed.
    public func release(_ key: PlayedKey) async throws { try await call(Methods.releaseKey, key) }
}
