import Music

/// Waveforms that are not a sine.
enum Waveform: Int, CaseIterable {
    case triangle
    case saw
    case square

    /// The amplitude of a harmonic (1 is the fundamental), but for a common factor. All start at 0 and rise; the saw's
    /// jump lies half a turn away, so that a note starts without one.
    func amplitude(harmonic: Int) -> Double {
        let order = Double(harmonic)
        let isOdd = harmonic % 2 == 1
        switch self {
        case .triangle: return isOdd ? (harmonic % 4 == 1 ? 1 : -1) / (order * order) : 0
        case .saw: return (isOdd ? 1 : -1) / order
        case .square: return isOdd ? 1 / order : 0
        }
    }
}

/// The band-limited waveforms that are made with the engine, each up to the frequency that it is played at.
public enum Wavetable: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    case chordsTriangle
    case bassSaw
    case rimshot
    case ride
    case cowbell

    fileprivate var waveform: Waveform {
        switch self {
        case .chordsTriangle, .rimshot, .ride: .triangle
        case .bassSaw: .saw
        case .cowbell: .square
        }
    }

    /// Hz.
    fileprivate var highestFrequency: Double {
        switch self {
        case .chordsTriangle: frequency(pitch: Track.chords.lowestPitch + Track.noteCount - 1)
        case .bassSaw: frequency(pitch: Track.bass.lowestPitch + Track.noteCount - 1)
        case .rimshot: 800
        case .ride: 350
        case .cowbell: 845
        }
    }

    /// What to hand to ``TableReader/read(_:_:)`` in the lanes that play this table.
    var base: UInt32 {
        @_noLocks @_noAllocation get { UInt32(truncatingIfNeeded: rawValue) * 2048 }
    }
}

/// Band-limited single cycles, read at any pitch by linear interpolation.
///
/// A table holds the harmonics that its highest note has below the limit, so it aliases at no pitch. With 2048 points the
/// images that interpolation leaves stay 80 dB below the fundamental. Peaks are exactly 1.
@safe
struct WavetableSet: ~Copyable {
    private static let pointCount = 2048
    private let points: UnsafeMutablePointer<SIMD2<Float>>
    /// No harmonic is higher, in Hz.
    private var limit = 0.0

    /// Tables for a sample rate in Hz.
    init(sampleRate: Double) {
        let count = Wavetable.allCases.count * WavetableSet.pointCount
        unsafe points = .allocate(capacity: count)
        unsafe points.initialize(repeating: .zero, count: count)
        prepare(sampleRate: sampleRate)
    }

    deinit { unsafe points.deallocate() }

    /// Reads the tables; valid as long as they live.
    var reader: TableReader { unsafe TableReader(points: UnsafePointer(points)) }

    /// Makes the tables fit a sample rate: up to 20 kHz from 44100 Hz on, so that they are the same at all usual rates.
    mutating func prepare(sampleRate: Double) {
        let limit = min(20_000, 0.4535 * sampleRate)
        guard limit != self.limit else { return }
        self.limit = limit
        let base = (0..<WavetableSet.pointCount).map { sine(turns: Double($0) / Double(WavetableSet.pointCount)) }
        for table in Wavetable.allCases {
            let harmonics = max(1, Int(limit / table.highestFrequency))
            store(WavetableSet.cycle(table.waveform, harmonics: harmonics, sine: base), at: Int(table.base))
        }
    }

    /// Each point gets its value and what to add to reach the next one.
    private func store(_ cycle: [Double], at base: Int) {
        for index in cycle.indices {
            let value = Float(cycle[index])
            unsafe points[base + index] = SIMD2(value, Float(cycle[(index + 1) % cycle.count]) - value)
        }
    }

    /// One cycle with a peak of 1. All harmonics are sines, so the second half is the first one backwards and negated.
    private static func cycle(_ waveform: Waveform, harmonics: Int, sine: [Double]) -> [Double] {
        var sums = [Double](repeating: 0, count: pointCount)
        for harmonic in 1...harmonics {
            let amplitude = waveform.amplitude(harmonic: harmonic)
            if amplitude == 0 { continue }
            for index in 1..<pointCount / 2 { sums[index] += amplitude * sine[index * harmonic % pointCount] }
        }
        for index in 1..<pointCount / 2 { sums[pointCount - index] = -sums[index] }
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
    @_noLocks @_noAllocation @_transparent
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

    /// How far the phases lie between their points, 0 ..< 1, with 21 bits' precision.
    @_noLocks @_noAllocation @_transparent
    private static func fraction(_ phases: LaneBits) -> Lanes {
        Lanes(bits: ((phases &<< 11) &>> 9) | 0x3f80_0000) - 1
    }
}
