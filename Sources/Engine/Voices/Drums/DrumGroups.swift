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

    /// Starts a sine: turns a frame at first, the factor by which they fall each frame, and where they stay.
    mutating func start(_ shape: EnvelopeShape, _ glide: PreparedPartial.Glide, lane: Int, at frame: Int64) {
        phases[lane] = 0
        increments[lane] = glide.start
        glides[lane] = glide.factor
        finalIncrements[lane] = glide.end
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the partials to the output, `count` frames from `frame` on.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

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
    mutating func start(
        _ shape: EnvelopeShape, base: UInt32, increment: UInt32, lane: Int, at frame: Int64
    ) {
        oscillators.start(base: base, increment: increment, lane: lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the partials to the output, `count` frames from `frame` on.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

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
    private var source: NoiseSource
    /// The lanes that have been started.
    private var owners = LaneOwners()
    /// The resampler's.
    private let memory = Resampler.makeMemory()

    init(sampleRate: Double) {
        source = NoiseSource(memory, isLimited: false, sampleRate: sampleRate)
    }

    /// Starts a noise.
    mutating func start(
        _ shape: EnvelopeShape, _ coefficients: BiquadCoefficients, seed: UInt32, lane: Int, at frame: Int64
    ) {
        source.start(coefficients, isMetal: false, seed: seed, lane: lane)
        var started = LaneOwners()
        started.insert(lane)
        source.begin(started)
        owners.insert(lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the partials to the output, `count` frames from `frame` on.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

    private mutating func renderStretch(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (lanes, newest) = (envelopes.lanes, Lanes.zero)
        if source.isPlain {
            var plain = source.plain
            for index in 0..<count {
                newest = plain.next() * lanes.next()
                unsafe output[index] += newest
            }
            source.plain = plain
        } else {
            for index in 0..<count {
                newest = source.next(owners) * lanes.next()
                unsafe output[index] += newest
            }
        }
        (envelopes.lanes, self.newest) = (lanes, newest)
    }
}

/// A drum's partial made ready, and the group and lane that are its own.
struct PreparedPartial: ~Copyable {
    /// Turns per frame at the start, what to multiply them by each frame, and where they stay.
    struct Glide: BitwiseCopyable {
        var start: Float
        var factor: Float
        var end: Float
    }

    /// What makes the sound.
    enum Source: BitwiseCopyable {
        case sine(Glide)
        case table(base: UInt32, increment: UInt32)
        case noise(PreparedFilter)
    }

    var source: Source
    var shape: EnvelopeShape
    var group: Int
    var lane: Int

    /// Prepares the partial that is the `index`th of its kind.
    init(_ partial: DrumPartial, index: Int, _ tables: WavetableSet, _ setting: VoiceSetting) {
        let sampleRate = setting.sampleRate
        group = index / laneCount
        lane = index % laneCount
        shape = partial.shape(sampleRate: sampleRate)
        switch partial.source {
        case .sine(let from, let to, let glide):
            let factor = exponential(logarithm(to / from) / (glide * sampleRate))
            source = .sine(
                Glide(start: Float(from / sampleRate), factor: Float(factor), end: Float(to / sampleRate)))
        case .table(let use, let frequency):
            source = .table(base: tables.base(of: use), increment: phaseIncrement(frequency, sampleRate: sampleRate))
        case .noise(let filter):
            source = .noise(PreparedFilter(filter, rate: NoiseRate.of(sampleRate: sampleRate), setting))
        }
    }

    /// Fits the track's parameters, for the next hit.
    mutating func apply(_ setting: VoiceSetting) {
        guard case .noise(var filter) = source else { return }
        filter.apply(setting)
        source = .noise(filter)
    }
}
