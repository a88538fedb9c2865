/// The parts of a drum that are noise or metal, each through a filter: made at the ``NoiseRate`` and resampled to the
/// sample rate.
struct NoiseSource: BitwiseCopyable {
    private(set) var owners = LaneOwners()
    private var noise: NoiseLanes
    private var limit: EarLimit
    /// Whether inaudible frequencies are filtered out at every rate, and not only if the rates differ.
    private var isLimited = false
    private var loop: MetalReader?
    private var metal = LaneOwners()
    private var filter = BiquadLanes()
    private var resampler: Resampler
    /// False if the rates are the same.
    private let isResampled: Bool

    /// - Parameter memory: The resampler's; must live as long as the source.
    init(_ memory: borrowing FixedArray<Float>, sampleRate: Double) {
        let rate = NoiseRate.of(sampleRate: sampleRate)
        noise = NoiseLanes(rate: rate)
        limit = EarLimit(rate: rate)
        resampler = Resampler(memory, sampleRate: sampleRate)
        isResampled = rate != sampleRate
    }

    /// Forgets all lanes; metal will be read from a loop's start.
    mutating func reset(_ loop: MetalReader?, isLimited: Bool) {
        self.loop = loop
        self.isLimited = isLimited
        (owners, metal) = (LaneOwners(), LaneOwners())
    }

    /// Frees a lane for something else.
    mutating func remove(_ lane: Int) {
        owners.remove(lane)
        metal.remove(lane)
    }

    /// Frees the lanes that are not among these, one bit for each.
    mutating func keep(only lanes: UInt8) {
        owners.keep(only: lanes)
        metal.keep(only: lanes)
    }

    /// Starts a lane, before ``begin()``.
    mutating func start(_ coefficients: BiquadCoefficients, isMetal: Bool, seed: UInt32, lane: Int) {
        owners.insert(lane)
        if isMetal { metal.insert(lane) }
        noise.start(lane, seed: seed)
        limit.reset(lane: lane)
        filter.setCoefficients(coefficients, lane: lane)
        filter.reset(lane: lane)
    }

    /// Starts the lanes. Fills the delays of filter and resampler first, so that the noise starts at once at every
    /// rate.
    mutating func begin() {
        guard owners.bits != 0 else { return }
        if isLimited {
            for _ in 0..<NoiseSource.limitDelay { _ = limit.filter(noise.next()) }
        }
        guard isResampled else { return }
        resampler.reset(owners)
        for index in 0..<Resampler.lead { resampler.put(make(), at: index, only: owners) }
    }

    /// The filter's approximate delay in frames.
    private static var limitDelay: Int { 8 }

    @inline(__always)
    mutating func next() -> Lanes {
        guard isResampled else { return make() }
        while resampler.needsInput { resampler.feed(make(), only: owners) }
        return resampler.next(only: owners)
    }

    @inline(__always)
    private mutating func make() -> Lanes {
        var source = noise.next()
        if isLimited { source = limit.filter(source) }
        if metal.bits != 0 { source = metal.only(Lanes(repeating: loop?.next() ?? 0), else: source) }
        return filter.filter(source)
    }

    /// Adds the parts under their envelopes. Each of the common cases has its own loop, on copies that stay in
    /// registers.
    mutating func render(
        _ envelopes: inout EnvelopeLanes, adding output: UnsafeMutablePointer<Lanes>, side: SideBus?, count: Int
    ) {
        var (noise, filter, lanes) = (self.noise, self.filter, envelopes.only(owners))
        if let side {
            for index in 0..<count { unsafe side.add(next() * lanes.next(), to: output, index) }
            (noise, filter) = (self.noise, self.filter)
        } else if isResampled {
            for index in 0..<count { unsafe output[index] += next() * lanes.next() }
            (noise, filter) = (self.noise, self.filter)
        } else if isLimited && metal.bits == 0 {
            var limit = limit
            for index in 0..<count {
                unsafe output[index] += filter.filter(limit.filter(noise.next())) * lanes.next()
            }
            self.limit = limit
        } else if isLimited || metal.bits != 0 {
            for index in 0..<count { unsafe output[index] += make() * lanes.next() }
            (noise, filter) = (self.noise, self.filter)
        } else {
            for index in 0..<count {
                unsafe output[index] += filter.filter(noise.next()) * lanes.next()
            }
        }
        (self.noise, self.filter) = (noise, filter)
        envelopes.goOn(owners, from: lanes)
    }
}
