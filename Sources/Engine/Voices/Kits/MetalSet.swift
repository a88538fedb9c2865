import Synchronization

/// The metal of all kits at a sample rate, never changed once it is made. Engines share that of the usual rates.
@safe
final class MetalSet: Sendable {
    /// Written in `init` only.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    private let count: Int

    private static let made = Mutex<[Double: MetalSet]>([:])
    private static let usualRates: Set = [44_100.0, 48_000, 88_200, 96_000, 192_000]

    /// The metal at a sample rate in Hz.
    static func at(sampleRate: Double) -> MetalSet {
        guard usualRates.contains(sampleRate) else { return MetalSet(sampleRate: sampleRate) }
        return made.withLock { sets in
            if let set = sets[sampleRate] { return set }
            let set = MetalSet(sampleRate: sampleRate)
            sets[sampleRate] = set
            return set
        }
    }

    private init(sampleRate: Double) {
        let loops = KitDescription.all.map { MetalLoop(frequencies: $0.metal, sampleRate: sampleRate).samples }
        count = loops[0].count
        unsafe memory = .allocate(capacity: loops.count * count)
        for (kit, loop) in loops.enumerated() {
            for index in loop.indices { unsafe (memory + kit * count + index).initialize(to: loop[index]) }
        }
    }

    deinit { unsafe memory.deallocate() }

    /// The loop of a kit of ``KitDescription/all``; valid as long as the set.
    func reader(kit: Int) -> MetalReader { unsafe MetalReader(UnsafePointer(memory + kit * count), count: count) }
}

/// Reads a loop of metal from its start.
@safe
struct MetalReader: BitwiseCopyable {
    private let samples: UnsafePointer<Float>
    private let count: Int
    private var position = 0

    fileprivate init(_ samples: UnsafePointer<Float>, count: Int) {
        unsafe self.samples = samples
        self.count = count
    }

    /// The next sample.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next() -> Float {
        let sample = unsafe samples[position]
        position = position + 1 == count ? 0 : position + 1
        return sample
    }
}
