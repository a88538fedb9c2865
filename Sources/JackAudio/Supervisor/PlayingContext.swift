import Synchronization

/// The context whose callbacks play, for those who read figures on other threads.
final class PlayingContext: Sendable {
    private let context: Mutex<CallbackContext>

    /// The first one.
    init(_ context: CallbackContext) {
        self.context = Mutex(context)
    }

    /// The present one.
    var current: CallbackContext {
        get { context.withLock { $0 } }
        set { context.withLock { $0 = newValue } }
    }
}
