import Instrument
import Music
import Synchronization

/// The main output during a fiftieth of a second.
public struct AudioBlock: Sendable {
    /// Blocks per second; slightly more if the sample rate is not a multiple of this.
    public static var rate: Int {
        @_noLocks @_noAllocation @_transparent get { 50 }
    }

    /// The driver's number of the first frame.
    public var frame: Int64
    /// JACK's time of the first frame in µs.
    public var usecs: UInt64
    /// Frames per second.
    public var sampleRate: Int
    /// Left and right, interleaved.
    public var samples: [Float]

    public init(frame: Int64, usecs: UInt64, sampleRate: Int, samples: [Float]) {
        self.frame = frame
        self.usecs = usecs
        self.sampleRate = sampleRate
        self.samples = samples
    }
}

/// Hands blocks of the main output from the process callback to the control thread, if they are wanted.
@safe
struct BlockExchange: ~Copyable {
    /// A block without its samples.
    struct Header: BitwiseCopyable {
        var frame: Int64 = 0
        var usecs: UInt64 = 0
        var sampleRate: Int32 = 0
        var frameCount: Int32 = 0
    }

    /// Room for more than the longest period at the lowest rate.
    private let headers = Ring(capacityBits: 6, Header())
    /// The samples of each slot of the ring. The system allocates the memory only when it is first used.
    private let samples: UnsafeMutablePointer<Float>
    private let wanted = Atomic<Bool>(false)
    private let isTouched = Atomic<Bool>(false)

    /// Samples of a block at the highest rate, both channels.
    private static var blockCapacity: Int { 2 * AudioLimits.highestRate / 50 }

    init() {
        unsafe samples = .allocate(capacity: headers.capacity * Self.blockCapacity)
    }

    deinit { unsafe samples.deallocate() }

    // MARK: On the control thread

    /// Sets whether blocks are wanted, and drops earlier ones.
    func setWanted(_ isWanted: Bool) {
        guard isWanted != self.isWanted else { return }
        while headers.pop() != nil {}
        // The audio thread must not be the first to touch this memory.
        if isWanted, !isTouched.exchange(true, ordering: .relaxed) {
            unsafe samples.initialize(repeating: 0, count: headers.capacity * Self.blockCapacity)
        }
        wanted.store(isWanted, ordering: .releasing)
    }

    /// The oldest block, nil when none waits.
    func pop() -> AudioBlock? {
        guard let slot = headers.slotToEmpty(), let header = headers.first else { return nil }
        let block = unsafe AudioBlock(
            frame: header.frame, usecs: header.usecs, sampleRate: Int(header.sampleRate),
            samples: Array(UnsafeBufferPointer(start: memory(of: slot), count: 2 * Int(header.frameCount))))
        headers.removeFirst()
        return block
    }

    // MARK: On the audio thread

    var isWanted: Bool { wanted.load(ordering: .acquiring) }

    /// The memory to fill next, nil while there is no room.
    func memoryToFill() -> UnsafeMutablePointer<Float>? {
        guard let slot = headers.slotToFill() else { return nil }
        return unsafe memory(of: slot)
    }

    /// Hands over the filled memory.
    func didFill(_ header: Header) { _ = headers.push(header) }

    private func memory(of slot: Int) -> UnsafeMutablePointer<Float> {
        unsafe samples + slot * BlockExchange.blockCapacity
    }
}

/// Copies the main output for listeners; idle without any.
struct BlockWriter: ~Copyable {
    private let sampleRate: Int
    private let blockLength: Int
    /// Frames of the current block that have been copied.
    private var filled = 0
    /// Whether there was room for the current block.
    private var hasRoom = false
    private var header = BlockExchange.Header()
    /// The frame after the last one copied.
    private var nextFrame: Int64 = 0

    init(sampleRate: Double) {
        self.sampleRate = Int(sampleRate)
        blockLength = self.sampleRate / AudioBlock.rate
    }

    /// Copies a mixed cycle. After missing frames a new block begins.
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
        header.usecs = cycle.usecs(at: offset)
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
