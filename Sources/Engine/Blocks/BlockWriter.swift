/// Copies what is heard, for those who listen elsewhere; does nothing while nobody does.
struct BlockWriter: ~Copyable {
    private var sampleRate: Int
    private var blockLength: Int
    /// Frames of the present block that have been copied.
    private var filled = 0
    /// Whether there was room for the present block.
    private var hasRoom = false
    private var header = BlockExchange.Header()
    /// The frame that follows what was copied last.
    private var nextFrame: Int64 = 0

    init(sampleRate: Double) {
        self.sampleRate = Int(sampleRate)
        blockLength = self.sampleRate / AudioBlock.rate
    }

    /// Fits another sample rate; what was not complete is dropped.
    mutating func prepare(sampleRate: Double) {
        self.sampleRate = Int(sampleRate)
        blockLength = self.sampleRate / AudioBlock.rate
        filled = 0
    }

    /// Copies a cycle that is mixed. Where frames were left out, a block begins anew.
    mutating func copy(_ ports: RtPorts, _ cycle: RtCycle, _ exchange: borrowing BlockExchange) {
        guard exchange.isWanted else {
            filled = 0
            return
        }
        if cycle.startFrame != nextFrame { filled = 0 }
        nextFrame = cycle.startFrame + Int64(cycle.frameCount)
        var offset = 0
        while offset < cycle.frameCount {
            let memory = unsafe exchange.memoryToFill()
            if filled == 0 { begin(at: offset, in: cycle, hasRoom: unsafe memory != nil) }
            let count = min(blockLength - filled, cycle.frameCount - offset)
            if hasRoom, let memory = unsafe memory {
                unsafe BlockWriter.interleave(ports, from: offset, count: count, to: memory + 2 * filled)
            }
            filled += count
            offset += count
            guard filled == blockLength else { continue }
            if hasRoom { exchange.didFill(header) }
            filled = 0
        }
    }

    private mutating func begin(at offset: Int, in cycle: RtCycle, hasRoom: Bool) {
        self.hasRoom = hasRoom
        header.frame = cycle.startFrame + Int64(offset)
        header.usecs = cycle.startUsecs + UInt64(Double(offset) * cycle.usecsPerFrame)
        header.sampleRate = Int32(sampleRate)
        header.frameCount = Int32(blockLength)
    }

    private static func interleave(
        _ ports: RtPorts, from offset: Int, count: Int, to memory: UnsafeMutablePointer<Float>
    ) {
        let (left, right) = unsafe (ports.mainLeft + offset, ports.mainRight + offset)
        for frame in 0..<count {
            unsafe memory[2 * frame] = left[frame]
            unsafe memory[2 * frame + 1] = right[frame]
        }
    }
}
