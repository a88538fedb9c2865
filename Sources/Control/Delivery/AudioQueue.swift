import NIOCore

/// The blocks of audio that one listener is still to read: in its socket a few, here those that wait for them. Who does not keep
/// up loses the oldest of the latter, and hears the present when it goes on.
struct AudioQueue {
    /// Blocks that may be on their way, here and in the socket: 200 ms.
    static let capacity = 10
    /// How many of them may be in the socket.
    static let socketCapacity = 5

    /// Blocks sent and left out.
    private(set) var (sent, dropped) = (0, 0)
    private var waiting: [ByteBuffer] = []
    /// How much room each block took that may be unread in the socket; the newest is the last one.
    private var costs: [Int] = []

    /// Takes a block, and sends what may be sent.
    ///
    /// - Parameters:
    ///   - unreadBytes: The room that everything unread takes in the socket.
    ///   - send: Sends a line.
    mutating func append(_ line: ByteBuffer, isBlocked: Bool, unreadBytes: () -> Int, send: (ByteBuffer) -> Void) {
        let unread = forgetRead(unreadBytes())
        waiting.append(line)
        let excess = unread + waiting.count - Self.capacity
        if excess > 0 {
            waiting.removeFirst(excess)
            dropped += excess
        }
        guard !isBlocked else { return }
        for _ in 0..<min(waiting.count, Self.socketCapacity - unread) {
            let line = waiting.removeFirst()
            let before = unreadBytes()
            send(line)
            // The system counts whole pages of memory, and the client may read meanwhile.
            costs.append(max(line.readableBytes, unreadBytes() - before))
            sent += 1
        }
    }

    /// Forgets the blocks that were read, and returns how many were not.
    private mutating func forgetRead(_ unreadBytes: Int) -> Int {
        var (left, count) = (unreadBytes, 0)
        while left > 0, count < costs.count {
            count += 1
            left -= costs[costs.count - count]
        }
        costs.removeFirst(costs.count - count)
        return count
    }
}
