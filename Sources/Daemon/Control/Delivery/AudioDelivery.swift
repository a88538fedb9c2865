import Engine
import NIOCore
import Wire

/// Sends the main output to its listeners, encoded once for all of them.
struct AudioDelivery {
    private var dither = Dither()

    /// Sends blocks to all listeners.
    mutating func deliver(_ blocks: [AudioBlock], to clients: [Client]) {
        guard !blocks.isEmpty else { return }
        let lines = blocks.map { ByteBuffer(bytes: event(of: $0).line) }
        for listener in clients where listener.subscriptions.audio != nil {
            listener.subscriptions.audio?.append(
                lines, isBlocked: listener.isBlocked, unreadBytes: { listener.unreadBytes },
                send: { listener.send($0) })
        }
    }

    private mutating func event(of block: AudioBlock) -> AudioEvent {
        AudioEvent(
            frame: block.frame, usecs: block.usecs, rate: block.sampleRate, pcm: dither.bytes(of: block.samples))
    }
}

/// Converts to 16-bit samples with triangular dither, 2 LSB wide: the rounding error becomes a steady hiss at -93 dBFS
/// instead of distortion.
struct Dither {
    private var random: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Little-endian samples; nil for digital silence.
    mutating func bytes(of samples: [Float]) -> [UInt8]? {
        guard samples.contains(where: { $0 != 0 }) else { return nil }
        return [UInt8](unsafeUninitializedCapacity: 2 * samples.count) { bytes, count in
            for (index, sample) in samples.enumerated() {
                let value = (sample * 32768 + noise()).rounded()
                let bits = UInt16(bitPattern: Int16(max(-32768, min(32767, value))))
                bytes[2 * index] = UInt8(truncatingIfNeeded: bits)
                bytes[2 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            }
            count = 2 * samples.count
        }
    }

    /// The sum of two numbers uniformly distributed from -1/2 to 1/2 (xorshift, Marsaglia 2003).
    private mutating func noise() -> Float {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        let (one, other) = (Int32(truncatingIfNeeded: random), Int32(truncatingIfNeeded: random >> 32))
        return (Float(one) + Float(other)) * 0x1p-32
    }
}

/// The audio blocks that one listener has not read yet: a few in its socket, the rest here. A listener that falls
/// behind loses the oldest blocks here, and continues near real time.
struct AudioQueue {
    /// The most blocks in flight, here and in the socket: 200 ms.
    static let capacity = 10
    /// The most blocks in the socket; blocks that arrive together count as one.
    static let socketCapacity = 5

    /// Blocks sent and dropped.
    private(set) var counts = DeliveryCounts()
    private var waiting: [ByteBuffer] = []
    /// The sizes of the blocks in the socket that may be unread, the newest last.
    private var costs: [Int] = []

    /// Queues blocks that arrive together, and sends what the socket may take.
    ///
    /// - Parameters:
    ///   - lines: Several if a period is longer than a block.
    ///   - isBlocked: Whether the socket is full before the first of them is sent.
    ///   - unreadBytes: The size of everything unread in the socket.
    ///   - send: Sends a line.
    mutating func append(_ lines: [ByteBuffer], isBlocked: Bool, unreadBytes: () -> Int, send: (ByteBuffer) -> Void) {
        let unread = forgetRead(unreadBytes())
        waiting += lines
        let excess = min(unread + waiting.count - max(Self.capacity, lines.count), waiting.count)
        if excess > 0 {
            waiting.removeFirst(excess)
            counts.dropped += excess
        }
        guard !isBlocked else { return }
        for _ in 0..<max(0, min(waiting.count, lines.count - 1 + Self.socketCapacity - unread)) {
            let line = waiting.removeFirst()
            let before = unreadBytes()
            send(line)
            // The kernel counts whole pages, and the client may read meanwhile.
            costs.append(max(line.readableBytes, unreadBytes() - before))
            counts.sent += 1
        }
    }

    /// Forgets the blocks that were read, and returns how many are unread.
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
