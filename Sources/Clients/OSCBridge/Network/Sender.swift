import OSC

/// A sender of messages, which are queued and carried out one after the other.
final class Sender: Sendable {
    /// Messages that may wait.
    static let capacity = 1024
    /// Bytes of messages that may wait.
    static let byteCapacity = 1 << 20
    /// How long a sender may be silent before its connection to the daemon is closed.
    static let patience = Duration.seconds(30)

    let conversation: OSCConversation
    private let queue: AsyncStream<Received>.Continuation
    private let worker: Task<Void, Never>

    /// - Parameter onDone: Called, on any thread, for each message that was carried out.
    init(_ conversation: OSCConversation, onDone: @escaping @Sendable (_ bytes: Int) -> Void) {
        self.conversation = conversation
        let (messages, queue) = AsyncStream<Received>.makeStream()
        self.queue = queue
        worker = Task {
            for await message in messages {
                await conversation.perform(message)
                onDone(message.message.memory)
            }
            await conversation.end()
        }
    }

    /// Queues a message; the caller limits the queue.
    func receive(_ message: Received) { queue.yield(message) }

    /// Ends the conversation, and drops queued messages.
    func end() {
        queue.finish()
        worker.cancel()
    }
}

extension OSCMessage {
    /// The message's approximate size in memory, which may be twenty times that of its packet.
    var memory: Int {
        arguments.reduce(64 + address.utf8.count) {
            $0 + MemoryLayout<OSCArgument>.stride + ($1.text?.utf8.count ?? 0)
        }
    }
}
