/// Coefficients of a filter with two poles and two zeros, a0 = 1.
///
/// From Robert Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients" (bilinear transform).
struct BiquadCoefficients: BitwiseCopyable {
    var b0: Float
    var b1: Float
    var b2: Float
    var a1: Float
    var a2: Float

    /// What a filter lets pass.
    enum Kind: BitwiseCopyable {
        case lowPass
        case highPass
        /// Unity gain at the centre.
        case bandPass
    }

    /// A filter at a corner or centre frequency in Hz; it stays below the Nyquist frequency at any rate.
    init(_ kind: Kind, frequency: Double, q: Double, sampleRate: Double) {
        let turns = min(frequency / sampleRate, 0.49)
        let cos = cosine(turns: turns)
        let alpha = sine(turns: turns) / (2 * q)
        let a0 = 1 + alpha
        let zeros: (Double, Double, Double) =
            switch kind {
            case .lowPass: ((1 - cos) / 2, 1 - cos, (1 - cos) / 2)
            case .highPass: ((1 + cos) / 2, -(1 + cos), (1 + cos) / 2)
            case .bandPass: (alpha, 0, -alpha)
            }
        b0 = Float(zeros.0 / a0)
        b1 = Float(zeros.1 / a0)
        b2 = Float(zeros.2 / a0)
        a1 = Float(-2 * cos / a0)
        a2 = Float((1 - alpha) / a0)
    }

    /// A low-pass by its coefficients; b1 = 2*b0 and b2 = b0.
    init(lowPass b0: Double, a1: Double, a2: Double) {
        self.b0 = Float(b0)
        b1 = Float(2 * b0)
        b2 = Float(b0)
        self.a1 = Float(a1)
        self.a2 = Float(a2)
    }

    /// The Q of a Butterworth filter.
    static var butterworth: Double { 0.707_106_781_186_547_5 }
}

/// Four filters side by side, each with its own coefficients; transposed direct form 2.
struct BiquadLanes: BitwiseCopyable {
    private var b0 = Lanes.zero
    private var b1 = Lanes.zero
    private var b2 = Lanes.zero
    private var a1 = Lanes.zero
    private var a2 = Lanes.zero
    private var state1 = Lanes.zero
    private var state2 = Lanes.zero

    mutating func setCoefficients(_ coefficients: BiquadCoefficients, lane: Int) {
        b0[lane] = coefficients.b0
        b1[lane] = coefficients.b1
        b2[lane] = coefficients.b2
        a1[lane] = coefficients.a1
        a2[lane] = coefficients.a2
    }

    /// Clears a lane's state.
    mutating func reset(lane: Int) {
        state1[lane] = 0
        state2[lane] = 0
    }

    /// Filters one sample of each lane.
    @_transparent
    mutating func filter(_ input: Lanes) -> Lanes {
        let output = b0 * input + state1
        state1 = (b1 * input + state2) - a1 * output
        state2 = b2 * input - a2 * output
        return output
    }
}

/// Four low-passes side by side: a ``BiquadLanes`` that exploits b1 = 2*b0 and b2 = b0.
struct LowPassLanes: BitwiseCopyable {
    private var b0 = Lanes.zero
    private var a1 = Lanes.zero
    private var a2 = Lanes.zero
    private var state1 = Lanes.zero
    private var state2 = Lanes.zero

    /// Sets a lane's coefficients to those of a low-pass.
    mutating func setCoefficients(_ coefficients: BiquadCoefficients, lane: Int) {
        b0[lane] = coefficients.b0
        a1[lane] = coefficients.a1
        a2[lane] = coefficients.a2
    }

    /// Clears a lane's state.
    mutating func reset(lane: Int) {
        state1[lane] = 0
        state2[lane] = 0
    }

    /// Filters one sample of each lane.
    @_transparent
    mutating func filter(_ input: Lanes) -> Lanes {
        let scaled = b0 * input
        let output = scaled + state1
        state1 = (scaled + scaled + state2) - a1 * output
        state2 = scaled - a2 * output
        return output
    }
}
