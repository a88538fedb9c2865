import Synchronization
import SystemSupport

/// What other threads send to the supervisor's thread.
final class Mailbox: Sendable {
    /// What can be sent.
    enum Message: Sendable {
        /// A client was opened and started.
        case opened(JackClient)
        /// No client could be opened, for a reason in words.
        case openFailed(String)
        /// The client is closed and freed.
        case closed
        /// JACK's graph as it was just read.
        case graph(PortGraph)
        /// The missing connections have been made, except those that JACK refused.
        case wired
        /// The result of setting a piece of the metadata.
        case described(JackMetadata.Outcome)
        /// A server answered a probe.
        case answered(knowsUs: Bool)
        /// Whether we want to be the server's timebase master.
        case leadTimebase(Bool)
        /// The driver is no longer wanted.
        case stop
    }

    private struct Content {
        var messages: [(message: Message, attempt: Int?)] = []
        var attempt = 0
        var isOpen = true
    }

    private let content = Mutex(Content())
    private let wake: WakeUp

    /// A mailbox that wakes its owner through `wake`.
    init(wake: WakeUp) {
        self.wake = wake
    }

    /// Sends a message.
    ///
    /// - Parameter attempt: The attempt that it belongs to; nil for any.
    /// - Returns: Whether it will be read; messages of an abandoned attempt are not.
    @discardableResult
    func post(_ message: Message, from attempt: Int? = nil) -> Bool {
        let isAccepted = content.withLock { content in
            guard content.isOpen, attempt == nil || attempt == content.attempt else { return false }
            content.messages.append((message, attempt))
            return true
        }
        if isAccepted { wake.signal() }
        return isAccepted
    }

    /// Removes and returns all messages.
    func fetch() -> [Message] {
        content.withLock { content in
            defer { content.messages = [] }
            return content.messages.map(\.message)
        }
    }

    /// Accepts messages from the next attempt instead of the current one.
    ///
    /// - Returns: The unread messages of the current one.
    func advance() -> [Message] {
        content.withLock { content in
            let old = content.messages.filter { $0.attempt != nil }
            content.messages.removeAll { $0.attempt != nil }
            content.attempt += 1
            return old.map(\.message)
        }
    }

    /// Removes and returns all messages, and accepts no more.
    func close() -> [Message] {
        content.withLock { content in
            defer { content = Content(isOpen: false) }
            return content.messages.map(\.message)
        }
    }
}

/// One attempt to play, from the opening of a client to its closing.
///
/// Usually each follows the one before on the same thread. When a call does not return, its attempt keeps the thread
/// that waits for it and everything that its callbacks may still use, and the next attempt gets its own.
struct Attempt: Sendable {
    /// Counts the attempts that got a new thread.
    let number: Int
    /// The thread on which JACK's library is called.
    let calls = WorkerThreads("jack-calls", stays: true)
    /// The context of the client's callbacks.
    let context: CallbackContext

    init(number: Int = 0, context: CallbackContext) {
        self.number = number
        self.context = context
    }

    /// Abandons this attempt, which can no longer play, for a new one that shares nothing with it.
    ///
    /// - Returns: nil while a callback of this one is in the middle of a cycle.
    func abandon() -> Attempt? {
        guard context.retire() else { return nil }
        calls.end()
        return Attempt(number: number + 1, context: CallbackContext(after: context))
    }
}
