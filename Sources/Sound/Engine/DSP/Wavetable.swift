import Music

/// Waveforms made of harmonics.
enum Waveform: Hashable {
    case sine
    case triangle
    case saw
    case square
    /// Drawbars.
    case organ
    /// A fundamental with a little of the next seven harmonics.
    case sub
    /// Odd harmonics above even ones, none from 14 on.
    case reed

    /// The amplitude of a harmonic (1 is the fundamental), up to a common factor. All start at 0 and rise; the saw
    /// jumps after half a cycle, so that a note does not start with the jump.
    func amplitude(harmonic: Int) -> Double {
        let order = Double(harmonic)
        let isOdd = harmonic % 2 == 1
        switch self {
        case .sine: return harmonic == 1 ? 1 : 0
        case .triangle: return isOdd ? (harmonic % 4 == 1 ? 1 : -1) / (order * order) : 0
        case .saw: return (isOdd ? 1 : -1) / order
        case .square: return isOdd ? 1 / order : 0
        case .organ: return [1: 1, 2: 0.8, 3: 0.5, 4: 0.4, 6: 0.25, 8: 0.2][harmonic] ?? 0
        case .sub: return harmonic <= 8 ? [1, 0.5, 0.4, 0.28, 0.2, 0.14, 0.1, 0.07][harmonic - 1] : 0
        case .reed: return harmonic < 14 ? (isOdd ? 1 : 0.35) / order : 0
        }
    }

    /// One cycle of this many harmonics, with as many points as the sine's cycle, a power of two. All harmonics are
    /// sines, so the second half is the first one backwards and negated.
    func cycle(harmonics: Int, sine: [Double]) -> [Double] {
        let pointCount = sine.count
        let mask = pointCount - 1
        var sums = [Double](repeating: 0, count: pointCount)
        for harmonic in 1...harmonics {
            let amplitude = amplitude(harmonic: harmonic)
            if amplitude == 0 { continue }
            for index in 1..<pointCount / 2 { sums[index] += amplitude * sine[index * harmonic & mask] }
        }
        for index in 1..<pointCount / 2 { sums[pointCount - index] = -sums[index] }
        return sums
    }
}

/// One cycle of a sine.
func sineCycle(pointCount: Int) -> [Double] { (0..<pointCount).map { sine(turns: Double($0) / Double(pointCount)) } }

/// A waveform, band-limited for playing up to a frequency.
struct Wavetable: Hashable {
    let waveform: Waveform
    /// Hz.
    let highestFrequency: Double

    /// How many harmonics there are below a limit in Hz.
    fileprivate func harmonics(limit: Double) -> Int { max(1, Int(limit / highestFrequency)) }
}

/// Band-limited single cycles, read at any pitch by linear interpolation.
///
/// A table holds the harmonics that its highest note has below the limit, so it aliases at no pitch. With 2048 points the
/// images that interpolation leaves stay 80 dB below the fundamental. Peaks are exactly 1.
///
/// The tables of all sounds are never changed once they are made.
@safe
final class WavetableSet: Sendable {
    /// A cycle's shape, by which tables are shared.
    private struct Cycle: Hashable {
        let waveform: Waveform
        let harmonics: Int
    }

    /// The tables of the usual rates, which all engines share.
    private static let usual = WavetableSet(limit: 20_000)
    private static let pointCount = 2048

    /// Written in `init` only.
    private nonisolated(unsafe) let points: FixedArray<SIMD2<Float>>
    private let bases: [Cycle: UInt32]
    private let limit: Double

    /// Tables for a sample rate in Hz: up to 20 kHz from 44100 Hz on, so that they are the same at all usual rates.
    static func at(sampleRate: Double) -> WavetableSet {
        let limit = min(20_000, 0.4535 * sampleRate)
        return limit == 20_000 ? usual : WavetableSet(limit: limit)
    }

    private init(limit: Double) {
        self.limit = limit
        let cycles = Set(TrackLayout.tables.map { Cycle(waveform: $0.waveform, harmonics: $0.harmonics(limit: limit)) })
        let sine = sineCycle(pointCount: WavetableSet.pointCount)
        var (bases, points): ([Cycle: UInt32], [SIMD2<Float>]) = ([:], [])
        points.reserveCapacity(cycles.count * WavetableSet.pointCount)
        for cycle in cycles {
            bases[cycle] = UInt32(points.count)
            let values = WavetableSet.values(cycle, sine: sine)
            // Each point stores its value and the difference to the next one.
            for point in values.indices {
                let value = Float(values[point])
                points.append(SIMD2(value, Float(values[(point + 1) % values.count]) - value))
            }
        }
        self.bases = bases
        unsafe self.points = FixedArray(points)
    }

    /// Reads the tables; valid as long as they live.
    var reader: TableReader { unsafe TableReader(points: UnsafePointer(points.elements)) }

    /// The base to pass to ``TableReader/read(_:_:)`` in the lanes that play a table, which must be one of the
    /// instrument's.
    func base(of table: Wavetable) -> UInt32 {
        bases[Cycle(waveform: table.waveform, harmonics: table.harmonics(limit: limit))]!
    }

    /// One cycle with a peak of 1.
    private static func values(_ cycle: Cycle, sine: [Double]) -> [Double] {
        let sums = cycle.waveform.cycle(harmonics: cycle.harmonics, sine: sine)
        let peak = sums.reduce(0) { max($0, abs($1)) }
        return sums.map { $0 / peak }
    }
}
/// Reads the tables of a ``WavetableSet``.
@safe
struct TableReader: BitwiseCopyable {
    private let points: UnsafePointer<SIMD2<Float>>

    fileprivate init(points: UnsafePointer<SIMD2<Float>>) {
        unsafe self.points = points
    }

    /// The values at four phases, each in the table that begins at its lane's base.
    @_transparent
    func read(_ phases: LaneBits, _ bases: LaneBits) -> Lanes {
        let indices = bases &+ (phases &>> 21)
        var values = Lanes.zero
        var slopes = Lanes.zero
        for lane in 0..<laneCount {
            let point = unsafe points[Int(indices[lane])]
            values[lane] = point.x
            slopes[lane] = point.y
        }
        return values + slopes * TableReader.fraction(phases)
    }

    /// The fractional part of the phases between points, 0 ..< 1, with 21 bits' precision.
    @_transparent
    private static func fraction(_ phases: LaneBits) -> Lanes {
        Lanes(bits: ((phases &<< 11) &>> 9) | 0x3f80_0000) - 1
    }
}

/// Four oscillators that read tables.
struct TableLanes: BitwiseCopyable {
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var bases = LaneBits.zero
    private var bend = Bend()

    /// Starts a lane on the table that begins at a base, from a phase; it advances by `increment` per frame, of 2^32
    /// per cycle.
    mutating func start(base: UInt32, phase: UInt32 = 0, increment: UInt32, lane: Int) {
        phases[lane] = phase
        bend.straight[lane] = increment
        increments[lane] = bend.increment(lane)
        bases[lane] = base
    }

    /// Multiplies all frequencies with a factor.
    mutating func bend(to factor: Double) { increments = bend.increments(factor) }

    /// The next sample of lanes that are all sines: computed, which is faster than looking it up.
    @_transparent
    mutating func nextSines() -> Lanes {
        phases &+= increments
        return sine(halfTurns: Lanes(bipolar: phases))
    }

    @_transparent
    mutating func next(_ reader: TableReader) -> Lanes {
        phases &+= increments
        return reader.read(phases, bases)
    }
}

/// The frequencies of four lanes, which are bent together.
struct Bend: BitwiseCopyable {
    /// How far the phases advance per frame where they are not bent, of 2^32 per cycle.
    var straight = LaneBits.zero
    private var factor = 1.0

    /// How far a lane's phase advances.
    func increment(_ lane: Int) -> UInt32 {
        factor == 1 ? straight[lane] : UInt32(Double(straight[lane]) * factor + 0.5)
    }

    /// How far the phases advance with another factor.
    mutating func increments(_ factor: Double) -> LaneBits {
        self.factor = factor
        return LaneBits(increment(0), increment(1), increment(2), increment(3))
    }
}
