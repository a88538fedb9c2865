import PixelBoopClient
import Synchronization

/// The steps that a daemon publishes, until the connection ends.
final class HeardSteps: Sendable {
    private let steps = Mutex<[Int]>([])

    /// Listens from now on.
    init(_ client: PixelBoopClient) async throws {
        let events = try await client.subscribe(to: [.step])
        Task { [weak self] in
            for try await event in events {
                if case .step(let step) = event { self?.steps.withLock { $0.append(step.step) } }
            }
        }
    }

    /// The steps since the last call.
    func take() -> [Int] {
        steps.withLock { steps in
            defer { steps.removeAll() }
            return steps
        }
    }
}
