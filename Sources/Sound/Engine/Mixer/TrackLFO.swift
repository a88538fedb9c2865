import Music

/// A track's low-frequency oscillator: how far a parameter is moved at a place in the song. A function of that place,
/// without memory.
struct TrackLFO: BitwiseCopyable {
    /// What it moves; the raw values are the indices of the choices of `Parameter.lfoTo`.
    enum Target: Int {
        case filter
        case pan
        case level
        case pitch
    }

    /// How it moves; the raw values are the indices of the choices of `Parameter.lfoShape`.
    private enum Shape: Int {
        case triangle
        case random
    }

    private let track: Int
    private let shape: Shape
    /// Sixteenths in a cycle.
    private let cycle: Double
    private let dice: Dice
    let target: Target

    init(_ track: Int, _ parameters: LiveParameters) {
        let own = parameters.of(track)
        self.track = track
        shape = Shape(rawValue: Int(own[.lfoShape])) ?? .triangle
        cycle = own[.lfoRate]
        dice = Dice(seed: parameters[.diceSeed])
        target = Target(rawValue: Int(own[.lfoTo])) ?? .filter
    }

    /// Whether it moves a parameter.
    func isTarget(_ parameter: Parameter) -> Bool {
        switch target {
        case .filter: parameter.index == Parameter.filter.index
        case .pan: parameter.index == Parameter.pan.index
        case .level: parameter.index == Parameter.gain.index
        case .pitch: false
        }
    }

    /// A value of the parameter that it moves, moved.
    ///
    /// - Parameters:
    ///   - depth: 0 to 1.
    ///   - position: The place in the song, in sixteenths.
    func moved(_ value: Double, depth: Double, at position: Double) -> Double {
        let wave = wave(at: position / cycle)
        return switch target {
        case .filter: max(-1, min(1, value + 0.5 * depth * wave))
        case .pan: max(-1, min(1, value + depth * wave))
        // From -6 to 0 dB.
        case .level: max(-60, value + 3 * depth * (wave - 1))
        case .pitch: value
        }
    }

    /// The factor of all frequencies, for the pitch: at most 50 cents up or down.
    func bend(depth: Double, at position: Double) -> Double {
        exponential(depth * wave(at: position / cycle) * (0.693_147_180_559_945_3 * 50 / 1200))
    }

    /// The wave after a number of cycles, -1 to 1.
    private func wave(at cycles: Double) -> Double {
        let number = floor(cycles)
        let part = cycles - Double(number)
        switch shape {
        // Rises through its middle where the cycle starts.
        case .triangle: return part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4
        case .random:
            let (from, to) = (random(number), random(number + 1))
            return from + part * (to - from)
        }
    }

    /// The value of a cycle.
    private func random(_ number: Int64) -> Double { 2 * dice.number(cycle: number, ofOscillatorOn: track) - 1 }
}

/// The place in the song by which oscillators move: straight, whatever the swing; while the music is stopped it goes on at
/// the tempo.
struct LFOClock: BitwiseCopyable {
    /// A place, the frame of it, and frames in a sixteenth.
    private var (position, frame, stepFrames) = (0.0, Int64(0), 0.0)

    /// The place at a frame, of the song that is played.
    mutating func position(at frame: Int64, _ sequencer: borrowing Sequencer) -> Double {
        let clock = sequencer.transport.clock
        return position(
            at: frame, running: sequencer.transport.runs ? clock.position(at: frame) : nil,
            stepFrames: clock.timing.stepFrames)
    }

    /// The place at a frame.
    ///
    /// - Parameter running: The song's position there, while it runs.
    private mutating func position(at frame: Int64, running: Double?, stepFrames: Double) -> Double {
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
        return lfo.moved(own.isNaN ? parameters[parameter] : own, depth: depth(parameters, at: count), at: position)
    }

    /// Whether the oscillator moves the pitch.
    var bends: Bool {
        guard let lfo, case .pitch = lfo.target else { return false }
        return true
    }

    /// The factor of all frequencies.
    func bend(at count: Double, _ position: Double) -> Double {
        guard let lfo, let parameters else { return 1 }
        return lfo.bend(depth: depth(parameters, at: count), at: position)
    }

    private func depth(_ parameters: TrackParameters, at count: Double) -> Double {
        let moved = motionValue(.lfoDepth, at: count)
        return moved.isNaN ? parameters[.lfoDepth] : moved
    }

    private func motionValue(_ parameter: Parameter, at count: Double) -> Double {
        guard let motion, motion.moves(parameter) else { return .nan }
        return motion.value(parameter, at: count)
    }
}
