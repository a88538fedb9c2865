import PixelBoopClient
import Wire

extension PixelBoopClient {
    /// Returns when the state is as wanted.
    public func waitForState(_ condition: (InstrumentState) -> Bool) async throws {
        let subscription = try await subscribe(to: [.state])
        for try await event in subscription {
            if case .state(let snapshot) = event, condition(snapshot.state) { break }
        }
        subscription.cancel()
    }

    /// Returns when a step starts to be heard.
    public func waitForStep() async throws {
        for try await event in try await subscribe(to: [.step]) { if case .step = event { return } }
    }
}
