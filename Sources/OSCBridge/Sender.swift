import OSC

/// Somebody who sends messages: they wait in a queue, and are carried out one after the other.
final class Sender: Sendable {
    /// Messages that may wait.
    static let capacity = 1024
    /// How long a sender may be silent until its connection to the daemon is closed.
    static let patience = Duration.seconds(30)

    let conversation: Conversation
    private let queue: AsyncStream<OSCMessage>.Continuation
    private let worker: Task<Void, Never>

    init(_ conversation: Conversation) {
        self.conversation = conversation
        let (messages, queue) = AsyncStream<OSCMessage>.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
        self.queue = queue
        worker = Task {
            for await message in messages { await conversation.perform(message) }
            await conversation.end()
        }
    }

    /// Puts a message into the queue.
    ///
    /// - Returns: Whether there was room.
    func receive(_ message: OSCMessage) -> Bool {
        if case .enqueued = queue.yield(message) { true } else { false }
    }

    /// Ends the conversation, whatever waits.
    func end() {
        queue.finish()
        worker.cancel()
    }
}
