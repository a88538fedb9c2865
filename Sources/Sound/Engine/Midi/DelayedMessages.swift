/// The messages of an output port that leave some frames later than the engine sends them.
@safe
struct DelayedMessages: ~Copyable {
    struct Message: BitwiseCopyable {
        var frame: Int64 = 0
        var event = MidiEvent(frame: 0, 0)

        init() {}
    }

    private let cycleMemory: UnsafeMutableRawPointer
    private var messages = Queue(capacityBits: 10, Message())

    init() {
        unsafe cycleMemory = .allocate(byteCount: MidiBuffer.byteCount, alignment: MemoryLayout<Int>.alignment)
        unsafe cycle.clear()
    }

    deinit { unsafe cycleMemory.deallocate() }

    /// Whether no message is waiting.
    var isEmpty: Bool { messages.isEmpty }

    /// The messages of the current cycle.
    var cycle: MidiBuffer { unsafe MidiBuffer(cycleMemory) }

    /// Ends a cycle: its messages leave `delay` frames later, and due ones are written to the port, in order. If too
    /// many wait, the oldest leave at once.
    mutating func finish(_ port: MidiBuffer, from firstFrame: Int64, count frameCount: Int, delay: Int64) {
        var newest = messages.last?.frame ?? .min
        for index in unsafe 0..<cycle.count {
            if messages.isFull { unsafe sendFirst(port, from: firstFrame, count: frameCount) }
            var message = Message()
            message.event = unsafe cycle.event(index)
            newest = max(newest, firstFrame + Int64(message.event.frame) + delay)
            message.frame = newest
            messages.append(message)
        }
        unsafe cycle.clear()
        while let next = messages.first, next.frame < firstFrame + Int64(frameCount) {
            unsafe sendFirst(port, from: firstFrame, count: frameCount)
        }
    }

    /// Sends the oldest message, on its frame or the nearest one in the cycle: a port takes no others.
    private mutating func sendFirst(_ port: MidiBuffer, from firstFrame: Int64, count frameCount: Int) {
        guard var message = messages.removeFirst() else { return }
        let frame = min(max(0, message.frame - firstFrame), Int64(frameCount) - 1)
        message.event.frame = Int32(truncatingIfNeeded: frame)
        unsafe port.append(message.event)
    }
}

extension DelayedMessages {
    /// The first messages that wait: a clock that is sent ticks while everything is silent, too.
    struct Memory: BitwiseCopyable {
        var messages: InlineArray<32, Message>
        var count: Int
    }

    /// Whether no more messages wait than the memory has room for.
    var fitsMemory: Bool { messages.count <= 32 }

    func copy(into memory: inout Memory) {
        memory.count = min(messages.count, 32)
        for index in 0..<memory.count { memory.messages[index] = messages.element(index) }
    }

    mutating func restore(_ memory: Memory) {
        messages.removeAll()
        unsafe cycle.clear()
        for index in 0..<memory.count { messages.append(memory.messages[index]) }
    }
}
