import Music
import Synchronization

/// Blocks of the main output on their way from the process callback to the control thread, and whether anybody wants them.
@safe
struct BlockExchange: ~Copyable {
    /// What is known of a block besides its samples.
    struct Header: BitwiseCopyable {
        var frame: Int64 = 0
        var usecs: UInt64 = 0
        var sampleRate: Int32 = 0
        var frameCount: Int32 = 0
    }

    /// Room for more than the longest period at the lowest rate.
    private let headers = Ring(capacityBits: 6, Header())
    /// The samples of each slot of the ring: memory that is used only once somebody listens.
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

    /// Says whether blocks are wanted; from now on, not those of before.
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

    /// Whether blocks are wanted.
    var isWanted: Bool { wanted.load(ordering: .acquiring) }

    /// The memory to fill next, nil while there is no room.
    func memoryToFill() -> UnsafeMutablePointer<Float>? {
        guard let slot = headers.slotToFill() else { return nil }
        return unsafe memory(of: slot)
    }

    /// Hands the memory over that was filled.
    func didFill(_ header: Header) { _ = headers.push(header) }

    private func memory(of slot: Int) -> UnsafeMutablePointer<Float> {
        unsafe samples + slot * BlockExchange.blockCapacity
    }
}
