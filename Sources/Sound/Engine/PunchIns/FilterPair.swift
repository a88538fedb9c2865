/// How much is heard of each filter, and then of both and of what is not filtered.
struct FilterMix: BitwiseCopyable {
    let low: Float
    let high: Float
    let filtered: Float
    let dry: Float

    @inline(__always)
    func mixed(_ lowPass: Float, _ highPass: Float, _ sample: Float) -> Float {
        (lowPass * low + highPass * high) * filtered + sample * dry
    }
}

/// What a low-pass and a high-pass, in this order, multiply with.
struct FilterPair: BitwiseCopyable {
    /// Twice the factors of their states.
    private(set) var twice: SIMD2<Double>
    private(set) var cross: SIMD2<Double>
    private(set) var high: SIMD2<Double>

    static var zero: FilterPair { FilterPair(twice: .zero, cross: .zero, high: .zero) }

    /// 1/Q.
    static var damping: Double { 1 / 1.4 }

    private init(twice: SIMD2<Double>, cross: SIMD2<Double>, high: SIMD2<Double>) {
        (self.twice, self.cross, self.high) = (twice, cross, high)
    }

    /// The coefficients for an amount.
    init(_ amount: Double, sampleRate: Double) {
        let low = StateVariableLanes.tangent(PunchFrequency.lowPass(amount) / sampleRate)
        let high = StateVariableLanes.tangent(PunchFrequency.highPass(amount) / sampleRate)
        let g = SIMD2(low, high)
        let first = 1 / (1 + g * (g + FilterPair.damping))
        self.init(twice: 2 * first, cross: 2 * g * first, high: 2 * g * g * first)
    }

    func isSame(as other: FilterPair) -> Bool {
        twice == other.twice && cross == other.cross && high == other.high
    }

    /// The way to another one, for each frame.
    func slope(to other: FilterPair) -> FilterPair {
        let share = 1 / Double(TrackFilter.step)
        return FilterPair(
            twice: (other.twice - twice) * share, cross: (other.cross - cross) * share,
            high: (other.high - high) * share)
    }

    /// The same, a number of frames further along a slope.
    @inline(__always)
    func moved(by slope: FilterPair, _ frames: Double) -> FilterPair {
        FilterPair(
            twice: twice + slope.twice * frames, cross: cross + slope.cross * frames, high: high + slope.high * frames)
    }
}

/// The cutoff frequencies of FILTER in Hz.
enum PunchFrequency {
    /// From 18 kHz in the middle down to 120 Hz at the left.
    static func lowPass(_ amount: Double) -> Double {
        // ln(18000/120)
        18_000 * exponential(-max(0, 1 - 2 * amount) * 5.010_635_294_096_256)
    }

    /// From 25 Hz in the middle up to 4 kHz at the right.
    static func highPass(_ amount: Double) -> Double {
        // ln(4000/25)
        25 * exponential(max(0, 2 * amount - 1) * 5.075_173_815_233_827)
    }
}

/// The state of a low-pass and a high-pass that have the same input: of mid, then of side.
struct FilterPairState: BitwiseCopyable {
    private var first = SIMD4<Double>.zero
    private var second = SIMD4<Double>.zero

    var isSilent: Bool { first == .zero && second == .zero }

    /// Whether nobody hears what is left: below -140 dBFS.
    var isQuiet: Bool {
        for lane in 0..<4 where abs(first[lane]) >= 1e-7 || abs(second[lane]) >= 1e-7 { return false }
        return true
    }

    /// Whether anything is left of the side.
    var hasSide: Bool { first.highHalf != .zero || second.highHalf != .zero }

    /// Filters samples in place, and mixes them at once: the recursion leaves time for it.
    mutating func run(
        _ mid: UnsafeMutablePointer<Float>, _ side: UnsafeMutablePointer<Float>?, count: Int, _ factors: FilterPair,
        _ mix: FilterMix
    ) {
        var state = self
        if let side = unsafe side {
            for index in 0..<count {
                let output = unsafe state.next(SIMD2(mid[index], side[index]), factors)
                unsafe mid[index] = mix.mixed(output.x, output.y, mid[index])
                unsafe side[index] = mix.mixed(output.z, output.w, side[index])
            }
        } else {
            for index in 0..<count {
                let output = unsafe state.nextMid(mid[index], factors)
                unsafe mid[index] = mix.mixed(output.x, output.y, mid[index])
            }
        }
        self = state
    }

    /// Filters a sample of mid and of side.
    ///
    /// - Returns: Low-pass and high-pass of mid, then of side.
    @inline(__always)
    mutating func next(_ sides: SIMD2<Float>, _ factors: FilterPair) -> Lanes {
        let cross = SIMD4(lowHalf: factors.cross, highHalf: factors.cross)
        let high = SIMD4(lowHalf: factors.high, highHalf: factors.high)
        let twice = SIMD4(lowHalf: factors.twice, highHalf: factors.twice)
        let (mid, side) = (Double(sides.x), Double(sides.y))
        // Arranged as in StateVariableLanes, so that a frame waits for few results of the one before.
        let rest = SIMD4(mid, mid, side, side) - second
        let (firstBefore, secondBefore) = (first, second)
        second = (second + cross * first) + high * rest
        first = (twice * firstBefore - firstBefore) + cross * rest
        // Both are the means of the states before and after.
        let (lowPass, bandPass) = (0.5 * (secondBefore + second), 0.5 * (firstBefore + first))
        return Lanes(
            Float(lowPass.x), Float(mid - FilterPair.damping * bandPass.y - lowPass.y), Float(lowPass.z),
            Float(side - FilterPair.damping * bandPass.w - lowPass.w))
    }

    /// The same for mid alone.
    @inline(__always)
    private mutating func nextMid(_ sample: Float, _ factors: FilterPair) -> SIMD2<Float> {
        let mid = Double(sample)
        let (firstBefore, secondBefore) = (first.lowHalf, second.lowHalf)
        let rest = mid - secondBefore
        let secondAfter = (secondBefore + factors.cross * firstBefore) + factors.high * rest
        let firstAfter = (factors.twice * firstBefore - firstBefore) + factors.cross * rest
        let (lowPass, bandPass) = (0.5 * (secondBefore + secondAfter), 0.5 * (firstBefore + firstAfter))
        (first.lowHalf, second.lowHalf) = (firstAfter, secondAfter)
        return SIMD2(Float(lowPass.x), Float(mid - FilterPair.damping * bandPass.y - lowPass.y))
    }
}

/// The coefficients of the frames up to the next point of the control grid.
struct MovingFactors: BitwiseCopyable {
    private let from: FilterPair
    private let slope: FilterPair
    private let passed: Int
    let to: FilterPair
    let isConstant: Bool

    init(_ from: FilterPair, _ to: FilterPair, passed: Int) {
        (self.from, self.to, self.passed) = (from, to, passed)
        (isConstant, slope) = (from.isSame(as: to), from.slope(to: to))
    }

    /// Those of a frame, counted from the first.
    @inline(__always)
    subscript(index: Int) -> FilterPair { from.moved(by: slope, Double(passed + index)) }
}
