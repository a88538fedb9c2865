import Foundation

/// Runs something that blocks on a thread of its own, so that no task's thread waits: those are few, and a test
/// that waits for what another task has yet to do would wait for ever.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
