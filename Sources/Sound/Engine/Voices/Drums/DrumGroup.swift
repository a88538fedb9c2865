/// Four lanes for the parts of drums: of several hits that are only added up, or of one hit whose sum goes through an
/// output stage; or a sample.
struct DrumGroup: ~Copyable {
    private var envelopes = LaneEnvelopes()
    private var sines = SineParts()
    private var tables = TableParts()
    private var noise: NoiseSource
    /// The memory of the noise's resampler.
    private let memory = Resampler.makeMemory()
    private var sample = SamplePlayer()
    /// Whether the lanes are only added up; otherwise they go through the output stage.
    private var isPlain = false
    /// What the lanes of plain hits are made of.
    private var kinds = PartKinds()
    /// The lanes of plain hits that are being cut off.
    private var fading: UInt8 = 0
    /// What plain hits added to the newest frame, and to its side.
    private var (newestPlain, newestPlainSide): (Float, Float) = (0, 0)
    /// The place of the drum in each lane, -1 to 1.
    private var places = Lanes.zero
    private var output = DrumOutput()
    private let reader: TableReader

    init(_ reader: TableReader, sampleRate: Double) {
        self.reader = reader
        noise = NoiseSource(memory, sampleRate: sampleRate)
    }

    /// Whether it sounds.
    var isLive: Bool { (envelopes.live != 0 || sample.isLive) && !output.hasFaded }

    /// The kit of samples that it plays from; the highest number if it plays none.
    var sampleGeneration: Int { sample.generation }

    /// Whether everything that sounds is being cut off.
    var isFading: Bool { isPlain ? envelopes.live & ~fading == 0 : output.isFading }

    /// The newest sample.
    var newest: Float { isPlain ? newestPlain : output.newest }

    /// The side of the newest sample.
    var newestSide: Float { isPlain ? newestPlainSide : output.newest * places.x }

    /// Whether a hit fits beside those that sound. Lanes of other kinds would be computed for nothing.
    func hasRoom(for drum: borrowing PreparedDrum) -> Bool {
        isPlain && drum.isPlain && kinds.bits == drum.kinds.bits
            && (~envelopes.live & 0xf).nonzeroBitCount >= drum.count
    }

    /// Starts a hit beside the sounding ones.
    ///
    /// - Parameter seed: The seed of the first part's noise; the other parts use the following ones.
    /// - Returns: One bit for each of its lanes.
    mutating func add(_ drum: borrowing PreparedDrum, seed: UInt32, _ stroke: Stroke, at frame: Int64) -> UInt8 {
        let free = ~envelopes.live & 0xf
        let level = DrumOutput.gain(drum.gain, stroke)
        var drift = stroke.drift
        let detune = drift.drumDetune()
        var lanes: UInt8 = 0
        for index in 0..<drum.count {
            let lane = (free & ~lanes).trailingZeroBitCount
            lanes |= 1 << UInt8(truncatingIfNeeded: lane)
            sines.owners.remove(lane)
            tables.owners.remove(lane)
            noise.remove(lane)
            start(index, of: drum, level: level, detune: detune, seed: seed, stroke, lane: lane, at: frame)
            places[lane] = drum.position
        }
        fading &= ~lanes
        return lanes
    }

    /// Starts a hit in a group that is silent.
    ///
    /// - Returns: One bit for each of its lanes.
    mutating func start(
        _ drum: borrowing PreparedDrum, _ metal: MetalReader?, seed: UInt32, _ stroke: Stroke, at frame: Int64
    ) -> UInt8 {
        silence()
        noise.reset(metal, isLimited: drum.limitsNoise)
        (isPlain, kinds) = (drum.isPlain, drum.kinds)
        if isPlain { return add(drum, seed: seed, stroke, at: frame) }
        var drift = stroke.drift
        let detune = drift.drumDetune()
        for index in 0..<drum.count {
            start(index, of: drum, level: 1, detune: detune, seed: seed, stroke, lane: index, at: frame)
        }
        noise.begin()
        output.start(drum, stroke)
        places = Lanes(repeating: drum.position)
        return 0xf
    }

    /// Starts a hit of a sample in a group that is silent.
    ///
    /// - Returns: One bit for each of its lanes.
    mutating func start(_ sample: DrumSample, generation: Int, _ stroke: Stroke) -> UInt8 {
        silence()
        isPlain = false
        self.sample.start(sample, generation: generation)
        output.start(gain: DrumGroup.sampleGain, stroke)
        places = Lanes(repeating: sample.place)
        return 0xf
    }

    /// Ends all hits at once.
    mutating func reset() {
        silence()
        (isPlain, kinds, newestPlain, newestPlainSide) = (false, PartKinds(), 0, 0)
        places = .zero
        bend(to: 1)
        noise.reset(nil, isLimited: false)
    }

    /// Multiplies the frequencies of sines and waveforms with a factor.
    mutating func bend(to factor: Double) {
        sines.bend = Float(factor)
        tables.bend(to: factor)
    }

    private mutating func silence() {
        sines.owners = LaneOwners()
        tables.owners = LaneOwners()
        envelopes.silenceAll()
        sample.stop()
        output = DrumOutput()
        fading = 0
    }

    private mutating func start(
        _ index: Int, of drum: borrowing PreparedDrum, level: Float, detune: Double, seed: UInt32, _ stroke: Stroke,
        lane: Int, at frame: Int64
    ) {
        let part = drum[index]
        var level = level
        switch part.source {
        case .sine(let glide): sines.start(detune == 1 ? glide : glide.detuned(by: detune), lane: lane)
        case .table(let base, let increment):
            tables.start(
                base: base, increment: detune == 1 ? increment : UInt32(Double(increment) * detune + 0.5), lane: lane)
        case .noise(let filter, let isMetal):
            noise.start(
                filter.coefficients, isMetal: isMetal, seed: seed &+ UInt32(truncatingIfNeeded: index), lane: lane)
            if !stroke.isAccent { level *= drum.normalNoise }
        }
        envelopes.start(part.shape.scaled(by: level), lane: lane, at: frame)
    }

    /// The gain of a sample, which makes full scale as loud as the first kit's kick at its peak.
    private static var sampleGain: Float { 0.45 }

    /// Cuts off the hit in some of the lanes, within this many frames.
    mutating func fade(_ lanes: UInt8, frames: Int, at frame: Int64) {
        guard isPlain else { return output.fade(frames: frames) }
        var rest = lanes & envelopes.live & ~fading
        fading |= rest
        while rest != 0 {
            envelopes.fade(lane: rest.trailingZeroBitCount, frames: frames, at: frame)
            rest &= rest - 1
        }
    }

    /// Adds the hits to the output, `count` frames from `frame` on; before an output stage, they are added up in
    /// `parts`.
    mutating func render(
        adding mix: UnsafeMutablePointer<Lanes>, side: UnsafeMutablePointer<Lanes>?, by parts: borrowing LaneMix,
        from frame: Int64, count: Int
    ) {
        // Not a frame beyond a fade: the noise would advance to the end of the period, wherever that is.
        let count = min(count, output.framesLeft)
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            if isPlain {
                let sideMix = unsafe side.map { unsafe $0 + stretch.lowerBound }
                unsafe addParts(to: mix + stretch.lowerBound, side: sideMix, count: stretch.count)
            } else {
                let sum = unsafe parts.start(count: stretch.count)
                unsafe renderParts(adding: sum, side: nil, count: stretch.count)
                let bus = unsafe SideBus(side, offset: stretch.lowerBound, places: places)
                unsafe output.render(sum, adding: mix + stretch.lowerBound, side: bus, count: stretch.count)
            }
        }
        let bus = unsafe SideBus(side, offset: 0, places: places)
        unsafe sample.render(adding: mix, side: bus, count: count, through: &output)
    }

    private mutating func addParts(
        to mix: UnsafeMutablePointer<Lanes>, side: UnsafeMutablePointer<Lanes>?, count: Int
    ) {
        let others = unsafe mix[count - 1]
        let bus = unsafe SideBus(side, offset: 0, places: places)
        unsafe renderParts(adding: mix, side: bus, count: count)
        let newest = unsafe mix[count - 1] - others
        (newestPlain, newestPlainSide) = (newest.total, (newest * places).total)
    }

    /// Adds the parts under their envelopes.
    private mutating func renderParts(adding parts: UnsafeMutablePointer<Lanes>, side: SideBus?, count: Int) {
        // Parts that have ended would be computed for nothing.
        sines.owners.keep(only: envelopes.live)
        tables.owners.keep(only: envelopes.live)
        noise.keep(only: envelopes.live)
        if sines.owners.bits != 0 { unsafe sines.render(&envelopes.lanes, adding: parts, side: side, count: count) }
        if tables.owners.bits != 0 {
            unsafe tables.render(&envelopes.lanes, reader, adding: parts, side: side, count: count)
        }
        if noise.owners.bits != 0 { unsafe noise.render(&envelopes.lanes, adding: parts, side: side, count: count) }
    }
}

/// The parts of a drum that are sines, each gliding from one frequency to another.
struct SineParts: BitwiseCopyable {
    var owners = LaneOwners()
    /// The factor of all frequencies.
    var bend: Float = 1
    /// Turns, -0.5 ..< 0.5.
    private var phases = Lanes.zero
    private var increments = LaneSlide()
    /// What bends add to them.
    private var bends = LaneSlide()
    /// Where the increments stay, after they have fallen this far.
    private var leastIncrements = Lanes.zero

    mutating func start(_ glide: PreparedGlide, lane: Int) {
        owners.insert(lane)
        phases[lane] = 0
        switch glide {
        case .approach(let start, let end, let frames, let bend, let bendFactor):
            increments.start(start, to: end, frames: frames, lane: lane)
            bends.start(bend, factor: bendFactor, lane: lane)
            leastIncrements[lane] = 0
        case .fall(let start, let end, let factor):
            increments.start(start, factor: factor, lane: lane)
            bends.start(0, factor: 0, lane: lane)
            leastIncrements[lane] = Float(end)
        }
    }

    @_transparent
    mutating func next() -> Lanes { advance(by: increments.next().atLeast(leastIncrements)) }

    @_transparent
    private mutating func advance(by increments: Lanes) -> Lanes {
        phases += increments * bend
        phases.replace(with: phases - 1, where: phases .>= 0.5)
        return sine(halfTurns: 2 * phases)
    }

    @_transparent
    private mutating func nextBent() -> Lanes {
        let bends = bends.next()
        return advance(by: increments.next().atLeast(leastIncrements) + bends)
    }

    /// Adds the parts under their envelopes, on copies of the state, which stay in registers.
    mutating func render(
        _ envelopes: inout EnvelopeLanes, adding output: UnsafeMutablePointer<Lanes>, side: SideBus?, count: Int
    ) {
        increments.settle()
        bends.settle()
        var (parts, lanes) = (self, envelopes.only(owners))
        switch (bends.isSettled, side) {
        case (true, nil):
            for index in 0..<count { unsafe output[index] += parts.next() * lanes.next() }
        case (true, let side?):
            for index in 0..<count { unsafe side.add(parts.next() * lanes.next(), to: output, index) }
        case (false, nil):
            for index in 0..<count { unsafe output[index] += parts.nextBent() * lanes.next() }
        case (false, let side?):
            for index in 0..<count { unsafe side.add(parts.nextBent() * lanes.next(), to: output, index) }
        }
        self = parts
        envelopes.goOn(owners, from: lanes)
    }
}

/// The parts of a drum that are band-limited waveforms.
struct TableParts: BitwiseCopyable {
    var owners = LaneOwners()
    private var oscillators = TableLanes()

    mutating func start(base: UInt32, increment: UInt32, lane: Int) {
        owners.insert(lane)
        oscillators.start(base: base, increment: increment, lane: lane)
    }

    mutating func bend(to factor: Double) { oscillators.bend(to: factor) }

    @_transparent
    mutating func next(_ reader: TableReader) -> Lanes { oscillators.next(reader) }

    /// Adds the parts under their envelopes.
    mutating func render(
        _ envelopes: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>,
        side: SideBus?, count: Int
    ) {
        var (parts, lanes) = (self, envelopes.only(owners))
        if let side {
            for index in 0..<count { unsafe side.add(parts.next(reader) * lanes.next(), to: output, index) }
        } else {
            for index in 0..<count { unsafe output[index] += parts.next(reader) * lanes.next() }
        }
        self = parts
        envelopes.goOn(owners, from: lanes)
    }
}
