import JSON
import Wire

extension PixelBoopClient {
    /// Plays from where the transport is.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with ``ErrorCode/noAudio`` when no JACK server runs.
    @discardableResult
    public func play() async throws -> TransportState { try await ask("transport.play") }

    /// Stops, and goes back to the start.
    @discardableResult
    public func stop() async throws -> TransportState { try await ask("transport.stop") }

    /// Stops where it is.
    @discardableResult
    public func pause() async throws -> TransportState { try await ask("transport.pause") }

    /// Plays or stops.
    @discardableResult
    public func toggle() async throws -> TransportState { try await ask("transport.toggle") }

    /// Goes to a step below the length.
    @discardableResult
    public func locate(step: Int) async throws -> TransportState {
        try await ask("transport.locate", ["step": .integer(step)])
    }

    /// Sets the tempo.
    ///
    /// - Parameter bpm: 20 to 300; two decimals count.
    /// - Returns: The tempo as it is now.
    @discardableResult
    public func setTempo(_ bpm: Double) async throws -> Double {
        try await read(call("tempo.set", ["bpm": .number(bpm)])) { (fields) throws(FieldError) in
            try fields("bpm", .number)
        }
    }

    /// Taps the tempo; the second tap and those after it set it.
    ///
    /// - Returns: The tempo as it is now.
    @discardableResult
    public func tapTempo() async throws -> Double {
        try await read(call("tempo.tap")) { (fields) throws(FieldError) in try fields("bpm", .number) }
    }
}
