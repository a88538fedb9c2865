import Engine
import Glibc
import Synchronization
import SystemSupport

/// Owns what JACK's callbacks reach by pointer. An open client, and a call that has not returned, keep it alive.
///
/// `@unchecked Sendable`: what threads share in the state is atomic, except ``CallbackState/shutdownReason``, which is read only
/// after an atomic has said that it is complete. The rest is written only while no callback runs.
@safe
final class CallbackContext: @unchecked Sendable {
    let state: UnsafeMutablePointer<CallbackState>
    /// Where the driver's thread sleeps.
    let wake: WakeUp
    /// Kept alive for the callbacks, which hold it unretained.
    let engine: Engine

    init(engine: Engine) throws(JackFailure) {
        guard let wake = WakeUp() else { throw .system("eventfd", errno) }
        self.wake = wake
        self.engine = engine
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: CallbackState(engine: engine, wake: wake.descriptor))
    }

    /// A context without a client whose counters continue another's.
    init(after other: CallbackContext) {
        wake = other.wake
        engine = other.engine
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: CallbackState(engine: engine, wake: wake.descriptor, countingFrom: other.state.pointee))
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Sets the engine's sample rate, while no callback runs.
    ///
    /// - Returns: false if the engine already belongs to another context.
    /// - Throws: ``JackFailure/rate(_:)``.
    func prepareEngine(sampleRate: Int) throws(JackFailure) -> Bool {
        unsafe try state.pointee.ownership.withEngine { () throws(JackFailure) in
            do throws(UnplayableRate) {
                try engine.prepare(sampleRate: Double(sampleRate))
            } catch {
                throw .rate(sampleRate)
            }
        }
    }

    /// Detaches the engine from this context's callbacks, which are silent from then on.
    ///
    /// - Returns: Whether that was possible; a callback in the middle of a cycle keeps the engine.
    func retire() -> Bool {
        unsafe state.pointee.ownership.end()
    }
}

/// The context whose callbacks play, for reading its statistics on other threads.
final class PlayingContext: Sendable {
    private let context: Mutex<CallbackContext>

    init(_ context: CallbackContext) {
        self.context = Mutex(context)
    }

    var current: CallbackContext {
        get { context.withLock { $0 } }
        set { context.withLock { $0 = newValue } }
    }
}
