/// What goes through a drum's filter, as power over frequency: enough to tell how loud it comes out.
struct SourceSpectrum {
    private var lines: [(frequency: Double, power: Double)]
    private let sampleRate: Double

    /// The noise of kits.
    static func noise(sampleRate: Double) -> SourceSpectrum {
        // Up to where nothing is left of it at any rate.
        let count = Int(min(32_000, 0.5 * sampleRate) / 250)
        let lines = (0..<count).map { index in
            let frequency = (Double(index) + 0.5) * 250
            return (frequency, EarLimit.power(at: frequency, sampleRate: sampleRate))
        }
        return SourceSpectrum(lines: lines, sampleRate: sampleRate)
    }

    /// Metal made of squares of these frequencies in Hz.
    static func metal(_ frequencies: [Double], sampleRate: Double) -> SourceSpectrum {
        let lines = frequencies.flatMap { fundamental in
            stride(from: 1, through: Int(20_000 / fundamental), by: 2).map { harmonic in
                (fundamental * Double(harmonic), 1 / Double(harmonic * harmonic))
            }
        }
        return SourceSpectrum(lines: lines, sampleRate: sampleRate)
    }

    /// How much of it a filter passes.
    func power(through filter: BiquadCoefficients) -> Double {
        lines.reduce(0) { $0 + $1.power * filter.power(at: $1.frequency / sampleRate) }
    }
}

/// How much louder a steady filter has to be for its drum to be as loud as at 48 kHz: it passes the same near its corner or
/// centre, but not at its skirts.
struct SourceBalance {
    private let here: SourceSpectrum
    private let reference: SourceSpectrum
    private let sampleRate: Double

    /// - Parameter spectrum: What goes through the filters at a sample rate.
    init(sampleRate: Double, _ spectrum: (Double) -> SourceSpectrum) {
        here = spectrum(sampleRate)
        reference = spectrum(48_000)
        self.sampleRate = sampleRate
    }

    /// A linear gain; 1 below 44.1 kHz, where too much is missing to be made up for.
    func gain(of filter: FilterDescription) -> Float {
        guard sampleRate != 48_000, sampleRate >= 44_100 else { return 1 }
        let wanted = reference.power(
            through: BiquadCoefficients(filter.kind, frequency: filter.frequency, q: filter.q, sampleRate: 48_000))
        let passed = here.power(
            through: BiquadCoefficients(
                steady: filter.kind, frequency: filter.frequency, q: filter.q, sampleRate: sampleRate))
        return Float((wanted / passed).squareRoot())
    }
}

/// The balance of both sources of a kit.
struct KitBalance {
    let noise: SourceBalance
    let metal: SourceBalance

    /// - Parameter frequencies: Those of the squares that its metal is made of, in Hz.
    init(metal frequencies: [Double], sampleRate: Double) {
        noise = SourceBalance(sampleRate: sampleRate) { .noise(sampleRate: $0) }
        metal = SourceBalance(sampleRate: sampleRate) { .metal(frequencies, sampleRate: $0) }
    }
}
