import Instrument
import Music
import Wire

extension PixelBoopClient {
    /// Plays from where the transport is.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `ErrorCode.noAudio` if no JACK server runs.
    @discardableResult
    public func play() async throws -> TransportStatus { try await call(Methods.play) }

    /// Stops, and goes back to the start.
    @discardableResult
    public func stop() async throws -> TransportStatus { try await call(Methods.stop) }

    /// Stops at the current position.
    @discardableResult
    public func pause() async throws -> TransportStatus { try await call(Methods.pause) }

    /// Plays or stops.
    @discardableResult
    public func toggle() async throws -> TransportStatus { try await call(Methods.toggle) }

    /// Goes to a step within the pattern's length.
    @discardableResult
    public func locate(step: Int) async throws -> TransportStatus {
        try await call(Methods.locate, step)
    }

    /// Starts or stops recording the MIDI input while the transport plays.
    @discardableResult
    public func record(_ isOn: Bool) async throws -> TransportStatus {
        try await call(Methods.record, isOn)
    }

    /// Writes keys that were played, but not recorded: those of the last whole pass while the music plays, else those since
    /// the last pause of 2 s.
    ///
    /// - Returns: How many notes that are.
    @discardableResult
    public func catchKeys() async throws -> Int { try await call(Methods.catchKeys) }

    /// Sets the tempo.
    ///
    /// - Parameter bpm: 20 to 300; two decimals count.
    /// - Returns: The current tempo.
    @discardableResult
    public func setTempo(_ bpm: Double) async throws -> Double {
        try await set(.tempo, to: .number(bpm)).number ?? bpm
    }

    /// Taps the tempo, which is set from the second tap on.
    ///
    /// - Returns: The current tempo.
    @discardableResult
    public func tapTempo() async throws -> Double {
        try await call(Methods.tapTempo)
    }
}
