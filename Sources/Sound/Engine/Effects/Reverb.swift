/// A feedback delay network (Jot and Chaigne, "Digital delay networks for designing artificial reverberators", AES 1991;
/// J. O. Smith, "Physical Audio Signal Processing"): a predelay, four allpasses that thicken the sound, and eight lines
/// that feed each other through a Hadamard matrix, each with a low-pass that makes high frequencies decay sooner. A
/// low cut before all that and ``EarlyReflections`` beside it can be switched on.
struct Reverb: ~Copyable, RestingEffect {
    private var lowCut: LowCut
    private var predelay: DelayLine
    private var diffusers: FixedArray<Allpass>
    private var early: EarlyReflections
    private var lines: ReverbLines
    private let predelayFrames: Int
    private var damping: ReverbDamping
    var quiet: Quiet

    /// A silent reverb with a decay time of 1.8 s.
    init(sampleRate: Double) {
        lowCut = LowCut(sampleRate: sampleRate)
        early = EarlyReflections(sampleRate: sampleRate)
        predelayFrames = frames(0.01, sampleRate: sampleRate)
        predelay = DelayLine(longest: predelayFrames)
        let seconds = [0.00477, 0.0036, 0.01273, 0.00931]
        diffusers = FixedArray(count: 4) { Allpass(frames: frames(seconds[$0], sampleRate: sampleRate)) }
        lines = ReverbLines(sampleRate: sampleRate)
        damping = ReverbDamping(sampleRate: sampleRate)
        // Through the predelay, the allpasses and the longest line.
        quiet = Quiet(after: frames(0.12, sampleRate: sampleRate))
    }

    /// Ramps to another decay time, in which the sound falls by 60 dB, in seconds.
    ///
    /// - Parameters:
    ///   - early: The amount of early reflections, 0 to 1.
    ///   - lowCut: The corner in Hz below which the input is cut, 0 for none.
    mutating func move(to time: Double, early: Double = 0, lowCut: Double = 0, frames: Int) {
        let frames = isSilent ? 0 : frames
        damping.move(to: time, frames: frames)
        self.early.move(to: early, time: time, frames: frames)
        self.lowCut.move(to: lowCut, frames: frames)
    }

    /// Jumps to its target, and falls silent.
    mutating func reset() {
        lowCut.reset()
        predelay.reset()
        early.reset()
        for index in 0..<4 { diffusers[index].reset() }
        lines.reset()
        damping.arrive()
    }

    /// Every delay in the reverb is longer than this.
    var framesAtOnce: Int { laneCount }

    @inline(__always)
    mutating func next(_ samples: Lanes, count: Int) -> (Lanes, Lanes) {
        var sent = predelay.read(predelayFrames)
        let hasEarly = early.isOpen
        let reflections = hasEarly ? early.reflections(predelay) : (.zero, .zero)
        predelay.write(lowCut.isOpen ? lowCut.filter(samples, count: count) : samples, count: count)
        sent = diffusers[0].filter(sent, count: count)
        sent = diffusers[1].filter(sent, count: count)
        sent = diffusers[2].filter(sent, count: count)
        sent = diffusers[3].filter(sent, count: count)
        early.hear(sent, count: count)
        let tank = lines.next(sent, &damping, count: count)
        return hasEarly ? early.mix(reflections, tank, count: count) : tank
    }
}

/// Schroeder's allpass: passes all frequencies alike, one after the other.
struct Allpass: ~Copyable {
    private var line: DelayLine
    private let frames: Int

    /// A silent allpass.
    ///
    /// - Parameter frames: Its delay, at least 4.
    init(frames: Int) {
        self.frames = frames
        line = DelayLine(longest: frames)
    }

    /// Filters the next frames.
    @inline(__always)
    mutating func filter(_ input: Lanes, count: Int) -> Lanes {
        let delayed = line.read(frames)
        let output = delayed - 0.6 * input
        line.write(input + 0.6 * output, count: count)
        return output
    }

    /// Forgets everything.
    mutating func reset() { line.reset() }
}

/// How fast the reverb dies away: for each line a gain and a one-pole low-pass, so that low frequencies fall by 60 dB
/// in the requested time, and 6 kHz in 0.39 of it.
struct ReverbDamping: BitwiseCopyable {
    /// output = input * gains + output * poles.
    private var gains = ReverbLanes.zero
    private var poles = ReverbLanes.zero
    private var finalGains = ReverbLanes.zero
    private var finalPoles = ReverbLanes.zero
    private var gainSlopes = ReverbLanes.zero
    private var poleSlopes = ReverbLanes.zero
    private var framesLeft = 0
    private var time = 0.0
    private let sampleRate: Double

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        move(to: 1.8, frames: 0)
    }

    /// Ramps to another time in seconds over this many frames.
    mutating func move(to time: Double, frames: Int) {
        guard time != self.time else { return }
        self.time = time
        for line in 0..<8 {
            let (gain, pole) = coefficients(line)
            finalGains[line] = Float(gain)
            finalPoles[line] = Float(pole)
        }
        guard frames > 0 else { return arrive() }
        framesLeft = frames
        gainSlopes = (finalGains - gains) / Float(frames)
        poleSlopes = (finalPoles - poles) / Float(frames)
    }

    /// Jumps to its target.
    mutating func arrive() {
        framesLeft = 0
        (gains, poles) = (finalGains, finalPoles)
    }

    /// Filters a frame, and advances.
    @inline(__always)
    mutating func filter(_ input: ReverbLanes, _ previous: ReverbLanes) -> ReverbLanes {
        if framesLeft > 0 { advance() }
        return input * gains + previous * poles
    }

    private mutating func advance() {
        framesLeft -= 1
        gains = framesLeft == 0 ? finalGains : gains + gainSlopes
        poles = framesLeft == 0 ? finalPoles : poles + poleSlopes
    }

    /// The one-pole low-pass with the right gains at 500 Hz and 6 kHz.
    private func coefficients(_ line: Int) -> (gain: Double, pole: Double) {
        // Lines with a wandering end are longer by half its range on average.
        let seconds = ReverbLines.seconds(line) + (line < 4 ? 0.5 * ReverbLines.wander : 0)
        let gain = exponential(logSixtyDecibelsDown * seconds / time)
        // As renderings show, the wandering ends let 6 kHz ring 2 to 6 % longer than the filters alone: hence less than
        // 0.39.
        let ratio = exponential(logSixtyDecibelsDown * seconds / time * (1 / 0.376 - 1))
        let (low, high) = (cosine(turns: 500 / sampleRate), cosine(turns: min(6000 / sampleRate, 0.42)))
        // First as if nothing were lost at 500 Hz, then with the actual loss.
        var (pole, kept) = (0.0, 1.0)
        for _ in 0..<3 {
            // (1 - p)^2 / (1 - 2 p cos + p^2) = power.
            let power = ratio * kept * ratio * kept
            let half = (1 - power * high) / (1 - power)
            pole = half - squareRoot(half * half - 1)
            kept = (1 - pole) / squareRoot(1 - 2 * pole * low + pole * pole)
        }
        return (gain / kept * (1 - pole), pole)
    }
}
