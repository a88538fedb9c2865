/// A hit of a drum: its parts in lanes, whose sum goes through the drum's output stage; or a sample.
struct DrumVoice: ~Copyable {
    private var envelopes = LaneEnvelopes()
    private var sines = SineParts()
    private var tables = TableParts()
    private var noise: NoiseSource
    /// The noise's.
    private let memory = Resampler.makeMemory()
    private var sample = SamplePlayer()
    private var output = DrumOutput()
    private let reader: TableReader

    init(_ reader: TableReader, sampleRate: Double) {
        self.reader = reader
        noise = NoiseSource(memory, sampleRate: sampleRate)
    }

    /// Whether it sounds.
    var isLive: Bool { (envelopes.live != 0 || sample.isLive) && !output.hasFaded }

    /// The kit of samples that it plays from; the highest number when it does not.
    var sampleGeneration: Int { sample.generation }

    /// Whether it is being cut off.
    var isFading: Bool { output.isFading }

    /// The newest sample.
    var newest: Float { output.newest }

    /// Starts a hit.
    ///
    /// - Parameter seed: Of the first lane's noise; the other lanes have the following ones.
    mutating func start(
        _ drum: borrowing PreparedDrum, _ metal: MetalReader?, seed: UInt32, _ stroke: Stroke, at frame: Int64
    ) {
        sines.owners = LaneOwners()
        tables.owners = LaneOwners()
        noise.reset(metal, isLimited: drum.limitsNoise)
        envelopes.silenceAll()
        sample.stop()
        for lane in 0..<drum.count {
            let part = drum[lane]
            var level: Float = 1
            switch part.source {
            case .sine(let glide): sines.start(glide, lane: lane)
            case .table(let base, let increment): tables.start(base: base, increment: increment, lane: lane)
            case .noise(let filter, let isMetal):
                noise.start(
                    filter.coefficients, isMetal: isMetal, seed: seed &+ UInt32(truncatingIfNeeded: lane), lane: lane)
                if !stroke.isAccent { level = drum.normalNoise }
            }
            envelopes.start(part.shape.scaled(by: level), lane: lane, at: frame)
        }
        noise.begin()
        output.start(drum, stroke)
    }

    /// Starts a hit of a sample.
    mutating func start(_ sample: DrumSample, generation: Int, _ stroke: Stroke) {
        envelopes.silenceAll()
        self.sample.start(sample, generation: generation)
        output.start(gain: DrumVoice.sampleGain, stroke)
    }

    /// What full scale in a sample becomes: as loud as the first kit's kick at its peak.
    private static var sampleGain: Float { 0.45 }

    /// Cuts the hit off, within so many frames.
    mutating func fade(frames: Int) { output.fade(frames: frames) }

    /// Adds the hit to the output, `count` frames from `frame` on; its parts are added up on the way.
    mutating func render(
        adding mix: UnsafeMutablePointer<Lanes>, by parts: borrowing LaneMix, from frame: Int64, count: Int
    ) {
        // Not a frame beyond a fade: its noise would go on, as far as the period happens to.
        let count = min(count, output.framesLeft)
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            let sum = unsafe parts.start(count: stretch.count)
            unsafe renderParts(adding: sum, count: stretch.count)
            unsafe output.render(sum, adding: mix + stretch.lowerBound, count: stretch.count)
        }
        unsafe sample.render(adding: mix, count: count, through: &output)
    }

    /// Adds the parts under their envelopes; each kind advances the envelopes of all lanes.
    private mutating func renderParts(adding parts: UnsafeMutablePointer<Lanes>, count: Int) {
        let start = envelopes.lanes
        if sines.owners.bits != 0 {
            envelopes.lanes = start
            unsafe sines.render(&envelopes.lanes, adding: parts, count: count)
        }
        if tables.owners.bits != 0 {
            envelopes.lanes = start
            unsafe tables.render(&envelopes.lanes, reader, adding: parts, count: count)
        }
        if noise.owners.bits != 0 {
            envelopes.lanes = start
            unsafe noise.render(&envelopes.lanes, adding: parts, count: count)
        }
    }
}

/// The parts of a drum that are sines, each gliding from one frequency to another.
struct SineParts: BitwiseCopyable {
    var owners = LaneOwners()
    /// Turns, -0.5 ..< 0.5.
    private var phases = Lanes.zero
    private var increments = LaneSlide()
    /// Where they stay, once they have fallen so far.
    private var leastIncrements = Lanes.zero

    mutating func start(_ glide: PreparedGlide, lane: Int) {
        owners.insert(lane)
        phases[lane] = 0
        switch glide {
        case .approach(let start, let end, let frames):
            increments.start(start, to: end, frames: frames, lane: lane)
            leastIncrements[lane] = 0
        case .fall(let start, let end, let factor):
            increments.start(start, factor: factor, lane: lane)
            leastIncrements[lane] = Float(end)
        }
    }

    @_transparent
    mutating func next() -> Lanes {
        phases += increments.next().atLeast(leastIncrements)
        phases.replace(with: phases - 1, where: phases .>= 0.5)
        return owners.only(sine(halfTurns: 2 * phases))
    }

    /// Adds them under their envelopes, on copies of the state, which stay in registers.
    mutating func render(
        _ envelopes: inout EnvelopeLanes, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) {
        var (parts, lanes) = (self, envelopes)
        for index in 0..<count { unsafe output[index] += parts.next() * lanes.next() }
        (self, envelopes) = (parts, lanes)
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

    @_transparent
    mutating func next(_ reader: TableReader) -> Lanes { owners.only(oscillators.next(reader)) }

    /// Adds them under their envelopes.
    mutating func render(
        _ envelopes: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) {
        var (parts, lanes) = (self, envelopes)
        for index in 0..<count { unsafe output[index] += parts.next(reader) * lanes.next() }
        (self, envelopes) = (parts, lanes)
    }
}

/// The output stage of a drum: band-pass, saturation, level, and the fade of hits that are cut off.
struct DrumOutput: BitwiseCopyable {
    private var band = BiquadLanes()
    private var hasBand = false
    private var drive: Drive?
    private var gain: Float = 0
    /// How much of the gain goes away each frame.
    private var slope: Float = 0
    /// Frames until it is silent, when it is being cut off.
    private(set) var framesLeft = Int.max
    private(set) var newest: Float = 0

    var isFading: Bool { framesLeft != .max }

    var hasFaded: Bool { framesLeft == 0 }

    mutating func start(_ drum: borrowing PreparedDrum, _ stroke: Stroke) {
        start(gain: drum.gain, stroke)
        guard let filter = drum.band else {
            drive = drum.drive
            return
        }
        band.setCoefficients(filter.coefficients, lane: 0)
        band.reset(lane: 0)
        (hasBand, drive) = (true, drum.drive)
    }

    /// Passes a hit on as it is, so many times as loud.
    mutating func start(gain: Float, _ stroke: Stroke) {
        (hasBand, drive) = (false, nil)
        let level = Float(stroke.gain)
        self.gain = gain * (stroke.isAccent ? level : 0.5 * level)
        (slope, framesLeft, newest) = (0, .max, 0)
    }

    mutating func fade(frames: Int) {
        guard !isFading else { return }
        slope = gain / Float(frames)
        framesLeft = frames
    }

    /// Adds the drum's next samples to the output, from its parts.
    mutating func render(
        _ parts: UnsafeMutablePointer<Lanes>, adding mix: UnsafeMutablePointer<Lanes>, count: Int
    ) {
        if hasBand || drive != nil || isFading {
            for index in 0..<count { unsafe mix[index].x += next(parts[index].total) }
        } else {
            let gain = gain
            for index in 0..<count { unsafe mix[index].x += parts[index].total * gain }
            newest = unsafe parts[count - 1].total * gain
        }
    }

    /// The drum's next sample, from the sum of its parts.
    @inline(__always)
    mutating func next(_ sum: Float) -> Float {
        var sample = sum
        if hasBand { sample = band.filter(Lanes(repeating: sample)).x }
        if let drive { sample = drive.apply(sample) }
        if isFading { fadeOn() }
        newest = sample * gain
        return newest
    }

    private mutating func fadeOn() {
        if framesLeft > 0 { framesLeft -= 1 }
        gain = framesLeft == 0 ? 0 : gain - slope
    }
}
