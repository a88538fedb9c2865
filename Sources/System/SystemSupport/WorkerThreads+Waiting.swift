import Synchronization

extension WorkerThreads {
    /// How often a wait looks whether its task was cancelled.
    private static let lookInterval = Duration.milliseconds(100)

    /// Waits on one of these threads, inside ``WorkerThreads/run(_:)``, for work that others do.
    ///
    /// - Throws: What the work throws; `CancellationError` if the waiting task is cancelled, however long the work then takes;
    ///   `FileError` if the system is out of descriptors.
    public static func wait<Result: Sendable>(
        for work: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        guard let isReady = WakeUp() else { throw FileError("create", "an eventfd") }
        let outcome = Outcome<Result>()
        let task = Task.detached {
            do {
                outcome.set(.success(try await work()))
            } catch {
                outcome.set(.failure(error))
            }
            isReady.signal()
        }
        while true {
            isReady.wait(atMost: lookInterval)
            if let result = outcome.result.withLock({ $0 }) { return try result.get() }
            if Task.isCancelled {
                task.cancel()
                throw CancellationError()
            }
        }
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)

        func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
    }
}
