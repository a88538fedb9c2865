/// What a state-variable filter of two poles multiplies with: three factors of its state, and how much of the input and of
/// its two outputs is heard.
struct FilterCoefficients: BitwiseCopyable {
    /// The factors of the state, then the shares of input, band-pass and low-pass.
    var numbers: SIMD8<Double>

    /// Only the input is heard.
    static var dry: FilterCoefficients { FilterCoefficients(numbers: SIMD8(1, 0, 0, 1, 0, 0, 0, 0)) }

    init(numbers: SIMD8<Double>) { self.numbers = numbers }

    /// - Parameters:
    ///   - turns: Cutoff frequency in cycles per frame, below 0.5.
    ///   - wet: How much of the filter is heard, 0 to 1; the rest is the input.
    init(turns: Double, q: Double, isHigh: Bool, wet: Double) {
        let (g, damping) = (StateVariableLanes.tangent(turns), 1 / q)
        let first = 1 / (1 + g * (g + damping))
        // The high-pass is the input without the other two outputs.
        let shares = isHigh ? SIMD4(1, -wet * damping, -wet, 0) : SIMD4(1 - wet, 0, wet, 0)
        numbers = SIMD8(
            lowHalf: SIMD4(first, g * first, g * g * first, shares.x), highHalf: SIMD4(shares.y, shares.z, 0, 0))
    }

    /// A track's filter at a value of its parameter other than 0.
    init(_ value: Double, isHigh: Bool, q: Double, sampleRate: Double) {
        let way = abs(value)
        // ln(20000/80), ln(8000/20)
        let frequency =
            isHigh
            ? 20 * exponential(way * 5.991_464_547_107_982) : 20_000 * exponential(-way * 5.521_460_917_862_246)
        self.init(
            turns: min(frequency / sampleRate, 0.42), q: q, isHigh: isHigh, wet: min(1, way / FilterCoefficients.fade))
    }

    /// The value at which the filter is fully heard.
    private static var fade: Double { 0.02 }

    /// The same filter, of which only the input is heard.
    var silenced: FilterCoefficients {
        var result = self
        (result.numbers[3], result.numbers[4], result.numbers[5]) = (1, 0, 0)
        return result
    }

    /// Whether only the input is heard.
    var isDry: Bool { numbers[3] == 1 && numbers[4] == 0 && numbers[5] == 0 }

    func isSame(as other: FilterCoefficients) -> Bool { numbers == other.numbers }
}

/// The state of such a filter, for two channels.
struct FilterState: BitwiseCopyable {
    private var first = SIMD2<Double>.zero
    private var second = SIMD2<Double>.zero

    var isSilent: Bool { first == .zero && second == .zero }

    /// Whether nobody hears what is left: below -140 dBFS.
    var isQuiet: Bool {
        let most = max(max(abs(first.x), abs(first.y)), max(abs(second.x), abs(second.y)))
        return most < 1e-7
    }

    /// Whether anything is left of the second channel.
    var hasSide: Bool { first.y != 0 || second.y != 0 }

    @inline(__always)
    mutating func next(_ input: SIMD2<Double>, _ factors: SIMD8<Double>) -> SIMD2<Double> {
        let rest = input - second
        let band: SIMD2<Double> = factors[0] * first + factors[1] * rest
        let rise: SIMD2<Double> = factors[1] * first + factors[2] * rest
        let low = second + rise
        first = 2 * band - first
        second = 2 * low - second
        let filtered: SIMD2<Double> = factors[4] * band + factors[5] * low
        return factors[3] * input + filtered
    }
}
