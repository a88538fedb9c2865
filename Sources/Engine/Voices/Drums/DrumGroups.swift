// Partials of drums by what makes their sound, four lanes a group; each partial has a lane of its own.

/// Sines, each gliding down to its final frequency.
struct DrumSineGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    /// What each lane added to the newest frame.
    private(set) var newest = Lanes.zero
    /// Turns, -0.5 ..< 0.5.
    private var phases = Lanes.zero
    private var increments = Lanes.zero
    private var glides = Lanes.zero
    private var finalIncrements = Lanes.zero

    init() {}

    /// Starts a sine: turns a frame at first, the factor by which they fall each frame, and where they stay.
    @_noLocks @_noAllocation
    mutating func start(_ shape: EnvelopeShape, _ glide: PreparedPartial.Glide, lane: Int, at frame: Int64) {
        phases[lane] = 0
        increments[lane] = glide.start
        glides[lane] = glide.factor
        finalIncrements[lane] = glide.end
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the partials to the output, `count` frames from `frame` on.
    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

    @_noLocks @_noAllocation
    private mutating func renderStretch(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (phases, increments, lanes) = (self.phases, self.increments, envelopes.lanes)
        let (glides, finalIncrements) = (self.glides, self.finalIncrements)
        var newest = Lanes.zero
        for index in 0..<count {
            phases += increments
            phases.replace(with: phases - 1, where: phases .>= 0.5)
            increments = (increments * glides).atLeast(finalIncrements)
            newest = sine(halfTurns: 2 * phases) * lanes.next()
            unsafe output[index] += newest
        }
        (self.phases, self.increments, envelopes.lanes, self.newest) = (phases, increments, lanes, newest)
    }
}

/// Steady band-limited waveforms.
struct DrumTableGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    /// What each lane added to the newest frame.
    private(set) var newest = Lanes.zero
    private var oscillators = TableLanes()
    private let reader: TableReader

    init(_ reader: TableReader) {
        self.reader = reader
    }

    /// Starts a waveform.
    @_noLocks @_noAllocation
    mutating func start(
        _ shape: EnvelopeShape, base: UInt32, increment: UInt32, lane: Int, at frame: Int64
    ) {
        oscillators.start(base: base, increment: increment, lane: lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the partials to the output, `count` frames from `frame` on.
    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

    @_noLocks @_noAllocation
    private mutating func renderStretch(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (oscillators, lanes) = (self.oscillators, envelopes.lanes)
        let reader = self.reader
        var newest = Lanes.zero
        for index in 0..<count {
            newest = oscillators.next(reader) * lanes.next()
            unsafe output[index] += newest
        }
        (self.oscillators, envelopes.lanes, self.newest) = (oscillators, lanes, newest)
    }
}

/// Filtered noise.
struct DrumNoiseGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    /// What each lane added to the newest frame.
    private(set) var newest = Lanes.zero
    private var noise: NoiseLanes
    private var filter = BiquadLanes()

    init(seed: UInt32, sampleRate: Double) {
        noise = NoiseLanes(seed: seed, sampleRate: sampleRate)
    }

    /// Starts a noise.
    @_noLocks @_noAllocation
    mutating func start(
        _ shape: EnvelopeShape, _ coefficients: BiquadCoefficients, lane: Int, at frame: Int64
    ) {
        filter.setCoefficients(coefficients, lane: lane)
        filter.reset(lane: lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the partials to the output, `count` frames from `frame` on.
    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

    @_noLocks @_noAllocation
    private mutating func renderStretch(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (noise, filter, lanes) = (self.noise, self.filter, envelopes.lanes)
        var newest = Lanes.zero
        for index in 0..<count {
            newest = filter.filter(noise.next()) * lanes.next()
            unsafe output[index] += newest
        }
        (self.noise, self.filter, envelopes.lanes, self.newest) = (noise, filter, lanes, newest)
    }
}
