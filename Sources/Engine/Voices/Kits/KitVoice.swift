/// A hit of a drum: its parts side by side in lanes, their sum through what the drum has behind them; or a sample.
struct KitVoice: ~Copyable {
    private var envelopes = LaneEnvelopes()
    private var sines = SineParts()
    private var squares = SquareParts()
    private var noisy: NoisyParts
    private var sample = SamplePlayer()
    private var output = DrumOutput()
    private let reader: TableReader

    init(_ tables: TableReader, sampleRate: Double) {
        reader = tables
        noisy = NoisyParts(sampleRate: sampleRate)
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
    /// - Parameter seed: Of the noise; the lanes have the ones that follow.
    mutating func start(
        _ drum: borrowing PreparedDrum, _ metal: MetalReader, seed: UInt32, isAccent: Bool, gain: Float,
        at frame: Int64
    ) {
        sines.owners = LaneOwners()
        squares.owners = LaneOwners()
        noisy.reset(metal)
        envelopes.silenceAll()
        sample.stop()
        for lane in 0..<drum.count {
            let part = drum[lane]
            var level: Float = 1
            let seed = seed &+ UInt32(truncatingIfNeeded: lane)
            switch part.source {
            case .sine(let from, let to, let frames): sines.start(from, to: to, frames: frames, lane: lane)
            case .square(let base, let increment): squares.start(base: base, increment: increment, lane: lane)
            case .noise(let filter):
                noisy.start(filter.coefficients, isMetal: false, seed: seed, lane: lane)
                level = isAccent ? 1 : 0.7
            case .metal(let filter):
                noisy.start(filter.coefficients, isMetal: true, seed: seed, lane: lane)
                level = isAccent ? 1 : 0.7
            }
            envelopes.start(part.shape.scaled(by: level), lane: lane, at: frame)
        }
        noisy.begin()
        output.start(drum, level: isAccent ? gain : 0.5 * gain)
    }

    /// Starts a hit of a sample.
    mutating func start(_ sample: DrumSample, generation: Int, isAccent: Bool, gain: Float) {
        envelopes.silenceAll()
        self.sample.start(sample, generation: generation)
        output.start(gain: isAccent ? gain * KitVoice.sampleGain : 0.5 * gain * KitVoice.sampleGain)
    }

    /// What full scale in a sample becomes: as loud as the first kit's kick at its peak.
    private static var sampleGain: Float { 0.45 }

    /// Cuts the hit off, within so many frames.
    mutating func fade(frames: Int) { output.fade(frames: frames) }

    /// Adds the hit to the output, `count` frames from `frame` on.
    mutating func render(adding mix: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        // Not a frame beyond a fade: its noise would go on, as far as the period happens to.
        let count = min(count, output.framesLeft)
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: mix + stretch.lowerBound, count: stretch.count)
        }
        unsafe sample.render(adding: mix, count: count, through: &output)
    }

    private mutating func renderStretch(adding mix: UnsafeMutablePointer<Lanes>, count: Int) {
        var lanes = envelopes.lanes
        let (hasSines, hasSquares, hasNoise) = (
            sines.owners.bits != 0, squares.owners.bits != 0, noisy.owners.bits != 0
        )
        for index in 0..<count {
            var parts = Lanes.zero
            if hasSines { parts += sines.next() }
            if hasSquares { parts += squares.next(reader) }
            if hasNoise { parts += noisy.next() }
            unsafe mix[index].x += output.next((parts * lanes.next()).total)
        }
        envelopes.lanes = lanes
    }
}

/// The parts of a drum that are sines, each gliding from one frequency to another.
struct SineParts: BitwiseCopyable {
    var owners = LaneOwners()
    /// Turns, -0.5 ..< 0.5.
    private var phases = Lanes.zero
    private var increments = LaneSlide()

    mutating func start(_ start: Double, to end: Double, frames: Double, lane: Int) {
        owners.insert(lane)
        phases[lane] = 0
        increments.start(start, to: end, frames: frames, lane: lane)
    }

    @inline(__always)
    mutating func next() -> Lanes {
        phases += increments.next()
        phases.replace(with: phases - 1, where: phases .>= 0.5)
        return owners.only(sine(halfTurns: 2 * phases))
    }
}

/// The parts of a drum that are squares.
struct SquareParts: BitwiseCopyable {
    var owners = LaneOwners()
    private var oscillators = TableLanes()

    mutating func start(base: UInt32, increment: UInt32, lane: Int) {
        owners.insert(lane)
        oscillators.start(base: base, increment: increment, lane: lane)
    }

    @inline(__always)
    mutating func next(_ reader: TableReader) -> Lanes { owners.only(oscillators.next(reader)) }
}

/// The parts of a drum that are noise or metal, each through a filter.
struct NoisyParts: ~Copyable {
    private(set) var owners = LaneOwners()
    private var source: NoiseSource
    /// The resampler's.
    private let memory = Resampler.makeMemory()

    init(sampleRate: Double) {
        source = NoiseSource(memory, isLimited: true, sampleRate: sampleRate)
    }

    mutating func reset(_ loop: MetalReader) {
        owners = LaneOwners()
        source.reset(loop)
    }

    mutating func start(_ coefficients: BiquadCoefficients, isMetal: Bool, seed: UInt32, lane: Int) {
        owners.insert(lane)
        source.start(coefficients, isMetal: isMetal, seed: seed, lane: lane)
    }

    /// Lets the parts that were started begin.
    mutating func begin() {
        if owners.bits != 0 { source.begin(owners) }
    }

    @inline(__always)
    mutating func next() -> Lanes { source.next(owners) }
}

/// What a drum has behind the sum of its parts: band-pass, saturation, level, and the end of hits that are cut off.
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

    mutating func start(_ drum: borrowing PreparedDrum, level: Float) {
        if let filter = drum.band {
            band.setCoefficients(filter.coefficients, lane: 0)
            band.reset(lane: 0)
        }
        start(gain: drum.gain * level)
        hasBand = drum.band != nil
        drive = drum.drive
    }

    /// Passes a hit on as it is, so many times as loud.
    mutating func start(gain: Float) {
        (hasBand, drive) = (false, nil)
        self.gain = gain
        (slope, framesLeft, newest) = (0, .max, 0)
    }

    mutating func fade(frames: Int) {
        guard !isFading else { return }
        slope = gain / Float(frames)
        framesLeft = frames
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
