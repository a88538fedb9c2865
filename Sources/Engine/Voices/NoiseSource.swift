/// Four lanes of noise or metal, each through a filter: made at the ``NoiseRate`` and brought to the sample rate.
struct NoiseSource: BitwiseCopyable {
    /// Noise and its filter.
    struct Plain: BitwiseCopyable {
        fileprivate var noise: NoiseLanes
        fileprivate var filter = BiquadLanes()

        /// The next sample of each lane.
        @_transparent
        mutating func next() -> Lanes { filter.filter(noise.next()) }
    }

    /// All there is where nothing is limited, resampled or metal.
    var plain: Plain
    private var limit: EarLimit
    private let isLimited: Bool
    private var loop: MetalReader?
    /// The lanes that are metal.
    private var metal = LaneOwners()
    private var resampler: Resampler
    /// Not where the rates are the same.
    private let isResampled: Bool

    /// - Parameters:
    ///   - memory: The resampler's; has to live as long as the source.
    ///   - isLimited: Whether what nobody hears of noise is left out at every rate, not only where the rates differ.
    init(_ memory: borrowing FixedArray<Float>, isLimited: Bool, sampleRate: Double) {
        let rate = NoiseRate.of(sampleRate: sampleRate)
        plain = Plain(noise: NoiseLanes(rate: rate))
        limit = EarLimit(rate: rate)
        self.isLimited = isLimited
        resampler = Resampler(memory, sampleRate: sampleRate)
        isResampled = rate != sampleRate
    }

    /// Begins anew with all lanes; metal is read from a loop's start.
    mutating func reset(_ loop: MetalReader) {
        self.loop = loop
        metal = LaneOwners()
        resampler.align()
    }

    /// Starts a lane, before ``begin(_:)``.
    mutating func start(_ coefficients: BiquadCoefficients, isMetal: Bool, seed: UInt32, lane: Int) {
        if isMetal { metal.insert(lane) }
        plain.noise.start(lane, seed: seed)
        limit.reset(lane: lane)
        plain.filter.setCoefficients(coefficients, lane: lane)
        plain.filter.reset(lane: lane)
    }

    /// Lets the lanes that were started begin. What delays them is filled first: the noise is there at once, and at every
    /// rate the same.
    mutating func begin(_ lanes: LaneOwners) {
        guard isLimited || isResampled else { return }
        var ahead = self
        if isLimited {
            for _ in 0..<NoiseSource.limitDelay { _ = ahead.limit.filter(ahead.plain.noise.next()) }
        }
        if isResampled {
            resampler.reset(lanes)
            for index in 0..<Resampler.lead { resampler.put(ahead.make(), at: index, only: lanes) }
        }
        plain.noise.resume(ahead.plain.noise, in: lanes)
        limit.resume(ahead.limit, in: lanes)
        plain.filter.resume(ahead.plain.filter, in: lanes)
        loop = ahead.loop
    }

    /// Frames until the limit passes on most of what comes in.
    private static var limitDelay: Int { 8 }

    /// Whether ``plain`` is all there is.
    var isPlain: Bool { !isLimited && !isResampled && metal.bits == 0 }

    /// The next sample of the lanes that are heard.
    @inline(__always)
    mutating func next(_ lanes: LaneOwners) -> Lanes {
        guard isResampled else { return make() }
        while resampler.needsInput { resampler.feed(make(), only: lanes) }
        return resampler.next(only: lanes)
    }

    @inline(__always)
    private mutating func make() -> Lanes {
        var source = plain.noise.next()
        if isLimited { source = limit.filter(source) }
        if metal.bits != 0 { source = metal.only(Lanes(repeating: loop?.next() ?? 0), else: source) }
        return plain.filter.filter(source)
    }
}
