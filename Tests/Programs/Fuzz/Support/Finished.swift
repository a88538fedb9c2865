import Dispatch

/// Waits for an asynchronous body; an error breaks a rule.
func finished<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    // Written before the signal, read after it.
    nonisolated(unsafe) var value: Value?
    Task {
        do {
            value = try await body()
        } catch {
            require(false, "\(error)")
        }
        done.signal()
    }
    done.wait()
    guard let value else { fatalError("nothing came of it") }
    return value
}
