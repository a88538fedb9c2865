/// The noise of struck metal: six square waves with inharmonic frequencies, in a loop (Werner, Abel and Smith, "A
/// Physically-Informed, Circuit-Bendable, Digital Model of the Roland TR-808 Bass Drum Circuit" and "The TR-808
/// Cymbal", DAFx 2014).
///
/// The loop has the same duration at every rate, 65536 frames at 48 kHz; each square wave has a whole number of cycles
/// in it.
struct MetalLoop {
    let samples: [Float]

    /// - Parameter sine: ``sine``, which all loops share.
    init(frequencies: [Double], sine: [Double], sampleRate: Double) {
        let count = Int(65_536 * sampleRate / 48_000 + 0.5)
        let limit = min(20_000, 0.4535 * sampleRate)
        var sums = [Float](repeating: 0, count: count)
        for (index, frequency) in frequencies.enumerated() {
            let cycles = Int(frequency * 65_536 / 48_000 + 0.5)
            let square = Waveform.square.cycle(harmonics: Int(limit / frequency), sine: sine).map { Float($0) }
            // The first point is repeated at the end, as each is read together with the next.
            unsafe (square + square.prefix(1)).withUnsafeBufferPointer { cycle in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    unsafe MetalLoop.add(cycle, cycles: cycles, from: 0.618_034 * Double(index), to: sums)
                }
            }
        }
        let power = sums.reduce(0.0) { $0 + Double($1 * $1) } / Double(count)
        let scale = Float(0.577 / power.squareRoot())
        samples = sums.map { $0 * scale }
    }

    private static let pointCount = 4096

    /// The sine that the square waves are made of.
    static var sine: [Double] { sineCycle(pointCount: pointCount) }

    /// Adds this many cycles, beginning at a phase in turns.
    private static func add(
        _ cycle: UnsafeBufferPointer<Float>, cycles: Int, from start: Double, to sums: UnsafeMutableBufferPointer<Float>
    ) {
        let step = Double(cycles) / Double(sums.count) * Double(pointCount)
        var place = start * Double(pointCount)
        for index in 0..<sums.count {
            while place >= Double(pointCount) { place -= Double(pointCount) }
            let point = Int(place)
            let fraction = Float(place - Double(point))
            unsafe sums[index] += cycle[point] + (cycle[point + 1] - cycle[point]) * fraction
            place += step
        }
    }
}

/// The metal of all kits at the ``NoiseRate``, never changed after it is made. Engines share that of the usual rates.
@safe
final class MetalSet: Sendable {
    /// Written in `init` only.
    private nonisolated(unsafe) let memory: FixedArray<Float>
    private let count: Int
    /// Which of the loops each kit has, nil for none.
    private let places: [Int?]

    private static let usual = MetalSet(rate: 48_000)

    static func at(sampleRate: Double) -> MetalSet {
        let rate = NoiseRate.of(sampleRate: sampleRate)
        return rate == 48_000 ? usual : MetalSet(rate: rate)
    }

    private init(rate: Double) {
        let sine = MetalLoop.sine
        var metals: [[Double]] = []
        // Kits of one machine have the same metal.
        for kit in KitDescription.all where !kit.metal.isEmpty && !metals.contains(kit.metal) {
            metals.append(kit.metal)
        }
        let loops = metals.map { MetalLoop(frequencies: $0, sine: sine, sampleRate: rate).samples }
        count = loops[0].count
        unsafe memory = FixedArray(loops.flatMap(\.self))
        places = KitDescription.all.map { metals.firstIndex(of: $0.metal) }
    }

    /// The loop of a kit of ``KitDescription/all``; nil if it has no metal; valid as long as the set.
    func reader(kit: Int) -> MetalReader? {
        places[kit].map { unsafe MetalReader(UnsafePointer(memory.elements + $0 * count), count: count) }
    }
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

    /// The loop from a place on, given as a part of it.
    func starting(at place: Double) -> MetalReader {
        var reader = self
        reader.position = Int(place * Double(count))
        return reader
    }

    @inline(__always)
    mutating func next() -> Float {
        let sample = unsafe samples[position]
        position = position + 1 == count ? 0 : position + 1
        return sample
    }
}
