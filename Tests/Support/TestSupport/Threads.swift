import Foundation

/// Runs a blocking body on a thread of its own, so that it blocks none of the few threads for tasks: otherwise a test
/// that waits for another task might wait for ever.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
