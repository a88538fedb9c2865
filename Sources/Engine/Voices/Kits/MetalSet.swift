/// The metal of all kits at the ``NoiseRate``, never changed once it is made. Engines share that of the usual rates.
@safe
final class MetalSet: Sendable {
    /// Written in `init` only.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    private let count: Int

    private static let usual = MetalSet(rate: 48_000)

    /// The metal for a sample rate in Hz.
    static func at(sampleRate: Double) -> MetalSet {
        let rate = NoiseRate.of(sampleRate: sampleRate)
        return rate == 48_000 ? usual : MetalSet(rate: rate)
    }

    private init(rate: Double) {
        let sine = MetalLoop.sine
        let loops = KitDescription.all.map { MetalLoop(frequencies: $0.metal, sine: sine, sampleRate: rate).samples }
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
    @inline(__always)
    mutating func next() -> Float {
        let sample = unsafe samples[position]
        position = position + 1 == count ? 0 : position + 1
        return sample
    }
}
