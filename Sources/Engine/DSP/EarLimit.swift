/// Four low-passes that end where hearing does: flat to 18.5 kHz within 0.1 dB, and 30 dB down at 30 kHz. What is noise then has
/// the same power at every sample rate, not only the same in every Hz.
///
/// Chebyshev's filter of the sixth order, by the bilinear transform.
struct EarLimit: BitwiseCopyable {
    private var first = LowPassLanes()
    private var second = LowPassLanes()
    private var third = LowPassLanes()

    init(sampleRate: Double) {
        let edge = EarLimit.edge(sampleRate: sampleRate)
        for lane in 0..<laneCount {
            first.setCoefficients(EarLimit.section(0, edge: edge), lane: lane)
            second.setCoefficients(EarLimit.section(1, edge: edge), lane: lane)
            third.setCoefficients(EarLimit.section(2, edge: edge), lane: lane)
        }
    }

    /// In turns a frame.
    private static func edge(sampleRate: Double) -> Double { min(18_500 / sampleRate, 0.42) }

    /// The power that passes at a frequency in Hz.
    static func power(at frequency: Double, sampleRate: Double) -> Double {
        (0..<3).reduce(1) { $0 * section($1, edge: edge(sampleRate: sampleRate)).power(at: frequency / sampleRate) }
    }

    /// One pair of poles; the edge in turns a frame.
    private static func section(_ index: Int, edge: Double) -> BiquadCoefficients {
        // asinh(1 / ripple) / order, for a ripple of 0.1 dB.
        let spread = 2.578_7 / 6
        let (sinh, cosh) = (
            (exponential(spread) - exponential(-spread)) / 2, (exponential(spread) + exponential(-spread)) / 2
        )
        let angle = Double(2 * index + 1) / 24
        let (real, imaginary) = (sinh * sine(turns: angle), cosh * cosine(turns: angle))
        let warped = sine(turns: 0.5 * edge) / cosine(turns: 0.5 * edge)
        let (damping, stiffness) = (
            2 * real * warped, (real * real + imaginary * imaginary) * warped * warped
        )
        let a0 = 1 + damping + stiffness
        return BiquadCoefficients(
            lowPass: stiffness / a0, a1: 2 * (stiffness - 1) / a0, a2: (1 - damping + stiffness) / a0)
    }

    /// Filters one sample of each lane.
    @_noLocks @_noAllocation @_transparent
    mutating func filter(_ input: Lanes) -> Lanes { third.filter(second.filter(first.filter(input))) }
}
