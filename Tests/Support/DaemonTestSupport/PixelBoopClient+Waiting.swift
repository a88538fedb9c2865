import Instrument
import PixelBoopClient
import Wire

extension PixelBoopClient {
    /// Returns when the state meets a condition.
    public func waitForState(_ condition: (InstrumentState) -> Bool) async throws {
        let subscription = try await subscribe(to: [.state])
        for try await event in subscription {
            if case .state(let snapshot) = event, condition(snapshot.state) { break }
        }
        subscription.cancel()
    }

    /// Returns when a step starts, any or the one with a number from 0.
    public func waitForStep(_ number: Int? = nil) async throws {
        for try await event in try await subscribe(to: [.step]) {
            if case .step(let step) = event, number == nil || step.step == number { return }
        }
    }
}

extension Subscription {
    /// Waits for the connection's end.
    ///
    /// - Returns: Whether the daemon sent `bye` before.
    public func hearBye() async -> Bool {
        var isTold = false
        do {
            for try await event in self { if case .bye = event { isTold = true } }
        } catch {}
        return isTold
    }
}
