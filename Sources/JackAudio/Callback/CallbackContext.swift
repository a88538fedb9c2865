import Engine

/// Owns what JACK's callbacks reach by pointer. Whoever holds an open client, or a call that has not returned, holds this.
///
/// `@unchecked Sendable`: everything in the state that threads share is atomic, and the rest is written only while no
/// callback runs.
final class CallbackContext: @unchecked Sendable {
    /// What the callbacks reach.
    let state: UnsafeMutablePointer<CallbackState>
    /// Where the driver's thread sleeps.
    let wake: WakeUp
    /// Kept alive for the callbacks, which hold it unretained.
    let engine: Engine

    /// A context without a client.
    init(engine: Engine) throws(JackFailure) {
        wake = try WakeUp()
        self.engine = engine
        state = .allocate(capacity: 1)
        state.initialize(to: CallbackState(engine: engine, wake: wake.descriptor))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }
}
