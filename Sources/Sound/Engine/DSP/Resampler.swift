/// The rate at which noise and metal are made and filtered, whatever the sample rate: a digital filter warps
/// frequencies differently at each rate, and the random numbers would differ. Made at one rate, they sound the same at
/// all.
enum NoiseRate {
    /// Frames per second: 48 kHz, or the sample rate itself if that is below 44.1 kHz.
    static func of(sampleRate: Double) -> Double { sampleRate < 44_100 ? sampleRate : 48_000 }
}

/// Converts four lanes from the ``NoiseRate`` to the sample rate: a Kaiser-windowed sinc, 16 frames long (J. O. Smith,
/// "Digital Audio Resampling"), flat within 0.05 dB up to 18 kHz.
@safe
struct Resampler: BitwiseCopyable {
    private let kernel: UnsafePointer<Lanes>
    /// The newest frames of each lane, stored twice so that they are contiguous from ``position`` on, the newest first.
    private let frames: UnsafeMutablePointer<Float>
    private var position = 0
    /// How far the next output frame is from the ninth newest input frame, in units such that an output frame lasts
    /// ``inputRate`` of them and an input frame ``outputRate``.
    private var phase = 0
    private let inputRate: Int
    private let outputRate: Int
    /// The kernel's phases for each of those units.
    private let phaseScale: Double

    /// - Parameter memory: Made by ``makeMemory()``; must live as long as the resampler.
    init(_ memory: borrowing FixedArray<Float>, sampleRate: Double) {
        unsafe kernel = ResamplingKernel.shared.reader
        unsafe frames = memory.elements
        inputRate = Int(NoiseRate.of(sampleRate: sampleRate) + 0.5)
        outputRate = Int(sampleRate + 0.5)
        phaseScale = Double(ResamplingKernel.phaseCount) / Double(outputRate)
    }

    /// Silent memory for one resampler.
    static func makeMemory() -> FixedArray<Float> { FixedArray(count: laneCount * 2 * length) { _ in 0 } }

    /// The kernel's length in frames.
    fileprivate static var length: Int { 16 }

    /// How many input frames precede the first output. After half a kernel the output would begin abruptly, without its
    /// pre-ringing, a cut that is heard at all frequencies; so it begins 2 frames earlier and comes out 2 frames later.
    static var lead: Int { length / 2 + 1 - 2 }

    /// Resets some lanes, whose first ``lead`` frames must then be written with ``put(_:at:only:)``. The first output
    /// frame coincides with an input frame.
    mutating func reset(_ lanes: LaneOwners) {
        phase = 0
        for lane in 0..<laneCount where lanes.contains(lane) {
            unsafe self.lane(lane).update(repeating: 0, count: 2 * Resampler.length)
        }
    }

    /// Writes one of the first frames, 0 ..< ``lead``, of some lanes.
    mutating func put(_ input: Lanes, at index: Int, only lanes: LaneOwners) {
        write(input, at: (position + Resampler.lead - 1 - index) & (Resampler.length - 1), only: lanes)
    }

    /// Whether the next output frame needs another input frame.
    var needsInput: Bool { phase >= outputRate }

    /// Feeds a frame to some lanes; the others are not used until they are reset.
    @inline(__always)
    mutating func feed(_ input: Lanes, only lanes: LaneOwners) {
        phase -= outputRate
        position = (position + Resampler.length - 1) & (Resampler.length - 1)
        write(input, at: position, only: lanes)
    }

    /// The next frame of some lanes.
    @inline(__always)
    mutating func next(only lanes: LaneOwners) -> Lanes {
        let row = unsafe kernel + Int(Double(phase) * phaseScale + 0.5) * (Resampler.length / laneCount)
        phase += inputRate
        var result = Lanes.zero
        for lane in 0..<laneCount where lanes.contains(lane) {
            let newest = unsafe UnsafeRawPointer(self.lane(lane) + position)
            var sum = Lanes.zero
            for index in 0..<Resampler.length / laneCount {
                unsafe sum += row[index] * newest.loadUnaligned(fromByteOffset: 16 * index, as: Lanes.self)
            }
            result[lane] = sum.total
        }
        return result
    }

    @inline(__always)
    private func write(_ input: Lanes, at place: Int, only lanes: LaneOwners) {
        for lane in 0..<laneCount where lanes.contains(lane) {
            let frames = unsafe self.lane(lane)
            unsafe frames[place] = input[lane]
            unsafe frames[place + Resampler.length] = input[lane]
        }
    }

    @inline(__always)
    private func lane(_ lane: Int) -> UnsafeMutablePointer<Float> { unsafe frames + lane * 2 * Resampler.length }
}

/// The weights of the frames, shared by all ``Resampler``s.
@safe
private final class ResamplingKernel: Sendable {
    static let shared = ResamplingKernel()

    /// The number of places between two frames: all that occur at the usual sample rates. The last row equals the
    /// first, a frame later.
    static let phaseCount = 588

    /// Written in `init` only.
    private nonisolated(unsafe) let memory: FixedArray<Lanes>

    private init() {
        let (length, count) = (Resampler.length, ResamplingKernel.phaseCount)
        var vectors: [Lanes] = []
        for phase in 0...count {
            let weights = (0..<length).map { index in
                ResamplingKernel.weight(Double(index - length / 2) + Double(phase) / Double(count))
            }
            let sum = weights.reduce(0, +)
            let row = weights.map { Float($0 / sum) }
            for index in stride(from: 0, to: length, by: laneCount) {
                vectors.append(Lanes(row[index..<index + laneCount]))
            }
        }
        unsafe memory = FixedArray(vectors)
    }

    /// Always valid, because the kernel is never freed.
    var reader: UnsafePointer<Lanes> { unsafe UnsafePointer(memory.elements) }

    /// The windowed sinc at a distance in frames, at most 8.
    private static func weight(_ distance: Double) -> Double {
        let place = distance / Double(Resampler.length / 2)
        let window = bessel(4 * max(0, 1 - place * place).squareRoot())
        let turns = 0.459 * distance
        return window * (turns == 0 ? 1 : sine(turns: turns) / (2 * .pi * turns))
    }

    /// The modified Bessel function of the first kind and order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for index in 1...20 {
            term *= x * x / 4 / Double(index * index)
            sum += term
        }
        return sum
    }
}
