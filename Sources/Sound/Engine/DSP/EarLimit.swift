/// Four low-passes at 18.5 kHz, the limit of hearing: noise then has the same total power at every sample rate, not
/// only the same power per Hz.
///
/// Chebyshev's filter of the sixth order, flat within 0.1 dB, by the bilinear transform.
struct EarLimit: BitwiseCopyable {
    private var first = LowPassLanes()
    private var second = LowPassLanes()
    private var third = LowPassLanes()

    /// Low-passes that run at a rate in Hz.
    init(rate: Double) {
        let edge = min(18_500 / rate, 0.42)
        for lane in 0..<laneCount {
            first.setCoefficients(EarLimit.section(0, edge: edge), lane: lane)
            second.setCoefficients(EarLimit.section(1, edge: edge), lane: lane)
            third.setCoefficients(EarLimit.section(2, edge: edge), lane: lane)
        }
    }

    /// One pair of poles; the edge is in turns per frame.
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

    /// Clears a lane's state.
    mutating func reset(lane: Int) {
        first.reset(lane: lane)
        second.reset(lane: lane)
        third.reset(lane: lane)
    }

    /// Filters one sample of each lane.
    @_transparent
    mutating func filter(_ input: Lanes) -> Lanes { third.filter(second.filter(first.filter(input))) }
}
