import Music

/// A track's low-frequency oscillator: how far a parameter is moved at a place in the song. A function of that place,
/// without memory.
struct TrackLFO: BitwiseCopyable {
    private let track: Int
    private let isRandom: Bool
    /// Sixteenths in a cycle.
    private let cycle: Double
    private let dice: Dice
    /// Where the parameter that it moves is in the table.
    private let target: Int

    init(_ track: Int, _ parameters: LiveParameters) {
        let own = parameters.of(track)
        self.track = track
        isRandom = own[.lfoShape] == 1
        cycle = own[.lfoRate]
        dice = Dice(seed: parameters[.diceSeed])
        target =
            switch own[.lfoTo] {
            case 0: Parameter.filter.index
            case 1: Parameter.pan.index
            default: Parameter.gain.index
            }
    }

    /// Whether it moves a parameter.
    func isTarget(_ parameter: Parameter) -> Bool { parameter.index == target }

    /// A value of the target, moved.
    ///
    /// - Parameters:
    ///   - depth: 0 to 1.
    ///   - position: The place in the song, in sixteenths.
    func moved(_ value: Double, depth: Double, at position: Double) -> Double {
        let wave = wave(at: position / cycle)
        if target == Parameter.filter.index { return max(-1, min(1, value + 0.5 * depth * wave)) }
        if target == Parameter.pan.index { return max(-1, min(1, value + depth * wave)) }
        // From -6 to 0 dB.
        return max(-60, value + 3 * depth * (wave - 1))
    }

    /// -1 to 1, after so many cycles.
    private func wave(at cycles: Double) -> Double {
        let number = floor(cycles)
        let part = cycles - Double(number)
        guard isRandom else {
            // Rises through its middle where the cycle starts.
            return part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4
        }
        let (from, to) = (random(number), random(number + 1))
        return from + part * (to - from)
    }

    /// The value of a cycle.
    private func random(_ number: Int64) -> Double { 2 * dice.number(cycle: number, ofOscillatorOn: track) - 1 }
}

/// The place in the song by which oscillators move: straight, whatever the swing; while the music is stopped it goes on at
/// the tempo.
struct LFOClock: BitwiseCopyable {
    /// A place, the frame of it, and frames in a sixteenth.
    private var (position, frame, stepFrames) = (0.0, Int64(0), 0.0)

    /// The place at a point of the control grid.
    ///
    /// - Parameter running: The song's position there, while it runs.
    mutating func position(at frame: Int64, running: Double?, stepFrames: Double) -> Double {
        if let running {
            (position, self.frame, self.stepFrames) = (running, frame, stepFrames)
        } else if self.stepFrames == 0 {
            // The music has never run: from the song's start.
            (self.frame, self.stepFrames) = (frame, stepFrames)
        } else if stepFrames != self.stepFrames {
            (position, self.frame) = (position + Double(frame - self.frame) / self.stepFrames, frame)
            self.stepFrames = stepFrames
        }
        return position + Double(frame - self.frame) / self.stepFrames
    }
}

/// What moves a track's parameters at a point of the control grid.
struct ControlSource: BitwiseCopyable {
    /// Nil if none moves by itself.
    let motion: Motion?
    /// Nil if it does nothing.
    let lfo: TrackLFO?
    let parameters: TrackParameters?

    /// Whether a parameter is not just the mixer's.
    func moves(_ parameter: Parameter) -> Bool {
        if let motion, motion.moves(parameter) { return true }
        if let lfo { return lfo.isTarget(parameter) }
        return false
    }

    /// A parameter's value; NaN if it does not move.
    ///
    /// - Parameters:
    ///   - count: The track's steps that have passed.
    ///   - position: The song's place, for the oscillator.
    func value(_ parameter: Parameter, at count: Double, _ position: Double) -> Double {
        let own = motionValue(parameter, at: count)
        guard let lfo, lfo.isTarget(parameter), let parameters else { return own }
        let moved = motionValue(.lfoDepth, at: count)
        let depth = moved.isNaN ? parameters[.lfoDepth] : moved
        return lfo.moved(own.isNaN ? parameters[parameter] : own, depth: depth, at: position)
    }

    private func motionValue(_ parameter: Parameter, at count: Double) -> Double {
        guard let motion, motion.moves(parameter) else { return .nan }
        return motion.value(parameter, at: count)
    }
}
