import Grid
import Wire

extension PixelBoopClient {
    /// Introduces the client. Without this call it has no name, and its touches count as precise within cells of 21 px.
    ///
    /// - Parameters:
    ///   - client: A name for people, as shown by `stats.get`.
    ///   - touch: How precisely the client knows where its fingers are.
    ///   - tooltips: False for pictures without tooltips, for a client that shows them itself.
    @discardableResult
    public func hello(client: String, touch: TouchSurface? = nil, tooltips: Bool? = nil) async throws -> Welcome {
        try await call(Methods.hello, HelloCall(client: client, surface: touch, tooltips: tooltips))
    }

    /// Sends a touch without waiting for an answer.
    public func send(_ touch: Touch) async throws {
        try await notify(Methods.touch, TouchCall(touch))
    }

    /// Sends a touch and waits for its outcome.
    @discardableResult
    public func perform(_ touch: Touch) async throws -> TouchOutcome {
        try await call(Methods.touch, TouchCall(touch))
    }
}
