import Synchronization

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
        /// JACK's graph as it was a moment ago.
        case graph(PortGraph)
        /// The connections that were missing in the graph have been made, as far as JACK makes them.
        case wired
        /// The driver is no longer wanted.
        case stop
    }

    private struct Content {
        var messages: [Message] = []
        var isOpen = true
    }

    private let content = Mutex(Content())
    private let wake: WakeUp

    /// A mailbox whose owner sleeps at a wake-up.
    init(wake: WakeUp) {
        self.wake = wake
    }

    /// Sends a message.
    ///
    /// - Returns: Whether anybody will read it.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let isOpen = content.withLock { content in
            if content.isOpen { content.messages.append(message) }
            return content.isOpen
        }
        if isOpen { wake.signal() }
        return isOpen
    }

    /// Takes what has come.
    func take() -> [Message] {
        content.withLock { content in
            defer { content.messages = [] }
            return content.messages
        }
    }

    /// Takes what has come, and refuses anything more.
    func close() -> [Message] {
        content.withLock { content in
            defer { content = Content(isOpen: false) }
            return content.messages
        }
    }
}
