import Dispatch
import Synchronization

extension WorkerThreads {
    /// How often a wait looks whether its task was cancelled.
    private static let lookInterval = DispatchTimeInterval.milliseconds(100)

    /// Waits on one of these threads, inside ``WorkerThreads/run(_:)``, for work that others do.
    ///
    /// - Throws: What the work throws; `CancellationError` if the waiting task is cancelled, however long the work then takes.
    public static func wait<Result: Sendable>(
        for work: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let outcome = Outcome<Result>()
        let task = Task.detached {
            do {
                outcome.set(.success(try await work()))
            } catch {
                outcome.set(.failure(error))
            }
        }
        while outcome.isReady.wait(timeout: .now() + lookInterval) == .timedOut {
            guard !Task.isCancelled else {
                task.cancel()
                throw CancellationError()
            }
        }
        return try outcome.result.withLock { try $0!.get() }
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isReady = DispatchSemaphore(value: 0)

        func set(_ value: Result<Value, any Error>) {
            result.withLock { $0 = value }
            isReady.signal()
        }
    }
}
