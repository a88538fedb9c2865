// The bilinear transform bends a filter's response, and differently at each sample rate: noise through a high-pass at 7 kHz
// is a decibel louder at 4 kHz when it is computed at 192 kHz. Where a sound is the filter's doing, it is to sound as at 48 kHz.

extension BiquadCoefficients {
    /// A filter that passes what ``init(_:frequency:q:sampleRate:)`` does at 48 kHz, whatever the sample rate.
    ///
    /// The poles are those at 48 kHz, moved to where they ring at the same frequency for the same time. The zeros are found
    /// by the magnitudes at three frequencies (Martin Vicanek, "Matched Second Order Digital Filters", 2016). Low- and
    /// high-passes are within 0.3 dB up to 16 kHz wherever they pass more than a tenth, band-passes near their centre.
    @_noLocks @_noAllocation
    init(steady kind: Kind, frequency: Double, q: Double, sampleRate: Double) {
        let frequency = min(frequency, 0.42 * sampleRate)
        let reference = BiquadCoefficients(kind, frequency: frequency, q: q, sampleRate: 48_000)
        self = reference
        guard sampleRate != 48_000 else { return }
        movePoles(from: reference, by: 48_000 / sampleRate)
        let points: (Double, Double)
        switch kind {
        case .lowPass: points = (frequency, min(3 * frequency, min(16_000, 0.45 * sampleRate)))
        case .highPass: points = (frequency / 2, frequency)
        case .bandPass:
            (b0, b1, b2) = (1, 0, -1)
            let gain = reference.power(at: frequency / 48_000) / power(at: frequency / sampleRate)
            b0 = Float(squareRoot(gain))
            b2 = -b0
            return
        }
        matchZeros(to: reference, kind, at: points, sampleRate: sampleRate)
    }

    /// Raises the poles, a conjugate pair, to a power.
    @_noLocks @_noAllocation
    private mutating func movePoles(from other: BiquadCoefficients, by power: Double) {
        let radius = squareRoot(Double(other.a2))
        let cos = -Double(other.a1) / (2 * radius)
        // The angle whose cosine that is: each pass adds the sine of what is missing.
        var turns = 0.25 * (1 - cos)
        let sin = squareRoot(max(1 - cos * cos, 1e-12))
        for _ in 0..<8 { turns += (sin * cosine(turns: turns) - cos * sine(turns: turns)) / 6.283_185_307_179_586 }
        let moved = exponential(power * logarithm(radius))
        a1 = Float(-2 * moved * cosine(turns: power * turns))
        a2 = Float(moved * moved)
    }

    /// Finds zeros with which a low- or high-pass has another's magnitude at 0 Hz and at two more frequencies (Hz).
    @_noLocks @_noAllocation
    private mutating func matchZeros(
        to other: BiquadCoefficients, _ kind: Kind, at points: (Double, Double), sampleRate: Double
    ) {
        // |B|^2 = B0 (1 - p) + B1 p + 4 B2 p (1 - p) with p = sin^2(w/2).
        (b0, b1, b2) = (1, 0, 0)
        var power0 = 0.0
        if case .lowPass = kind { power0 = 1 / power(at: 0) }
        let first = MagnitudePoint(self, other, points.0, sampleRate)
        let second = MagnitudePoint(self, other, points.1, sampleRate)
        let (rest1, rest2) = (first.power - power0 * (1 - first.place), second.power - power0 * (1 - second.place))
        let (column1, column2) = (4 * first.place * (1 - first.place), 4 * second.place * (1 - second.place))
        let determinant = first.place * column2 - second.place * column1
        let power1 = max(0, (rest1 * column2 - rest2 * column1) / determinant)
        let power2 = (first.place * rest2 - second.place * rest1) / determinant
        let (root0, root1) = (squareRoot(max(power0, 1e-18)), squareRoot(max(power1, 1e-18)))
        let half = 0.5 * (root0 + root1)
        let zero = 0.5 * (half + squareRoot(max(half * half + power2, 1e-18)))
        b0 = Float(zero)
        b1 = Float(0.5 * (root0 - root1))
        b2 = Float(-power2 / (4 * zero))
        if case .highPass = kind { b2 = -b0 - b1 }
    }

    /// The power that passes at a frequency in turns a frame.
    @_noLocks @_noAllocation
    func power(at turns: Double) -> Double {
        let (cos, sin) = (cosine(turns: turns), sine(turns: turns))
        let (cos2, sin2) = (cosine(turns: 2 * turns), sine(turns: 2 * turns))
        let (real, imaginary) = (
            Double(b0) + Double(b1) * cos + Double(b2) * cos2, Double(b1) * sin + Double(b2) * sin2
        )
        let (below, aside) = (1 + Double(a1) * cos + Double(a2) * cos2, Double(a1) * sin + Double(a2) * sin2)
        return (real * real + imaginary * imaginary) / (below * below + aside * aside)
    }
}

/// What the zeros are to let pass at one frequency.
private struct MagnitudePoint {
    /// The square of the sine of half the angle per frame.
    let place: Double
    let power: Double

    /// - Parameters:
    ///   - poles: The filter that zeros are wanted for, with none as yet.
    ///   - model: What it is to be like.
    @_noLocks @_noAllocation
    init(_ poles: BiquadCoefficients, _ model: BiquadCoefficients, _ frequency: Double, _ sampleRate: Double) {
        let half = sine(turns: 0.5 * frequency / sampleRate)
        place = half * half
        power = model.power(at: frequency / 48_000) / poles.power(at: frequency / sampleRate)
    }
}
