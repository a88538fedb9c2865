/// A sound of a pitched track: a row of the table of presets.
struct PitchedPreset: Sendable {
    /// What makes the sound, before its envelope.
    enum Voice: Sendable {
        /// One or two oscillators through a low-pass, which may move.
        case tables(Oscillator, Oscillator?, Sweep)
        /// A sine whose phase is modulated by another (Chowning, "The Synthesis of Complex Audio Spectra by Means of
        /// Frequency Modulation", JAES 1973).
        case modulated(Modulator)
    }

    let voice: Voice
    let contour: Contour
    /// How fast the level of held notes rises and falls with full `sway`, by 10 %, in Hz; 0 for sounds that move anyway.
    let sway: Double
    /// The final factor.
    let gain: Double
    /// The factor of the track's width: a third where a held note would else move from side to side by more than 6 dB.
    let width: Double

    init(_ voice: Voice, _ contour: Contour, sway: Double = 0, gain: Double, width: Double = 1.0 / 3) {
        self.voice = voice
        self.width = width
        self.contour = contour
        self.sway = sway
        self.gain = gain
    }

    /// The waveforms that the voice needs on a track whose highest note has a frequency in Hz.
    func tables(highestFrequency: Double) -> [Wavetable] {
        switch voice {
        case .tables(let first, let second, _):
            [first, second].compactMap { $0?.table(highestFrequency: highestFrequency) }
        case .modulated: []
        }
    }
}

/// A band-limited waveform of a note.
struct Oscillator: Sendable {
    let waveform: Waveform
    /// Its frequency relative to the note's.
    let ratio: Double
    let level: Double
    /// Where in its cycle it begins, in turns.
    let start: Double

    init(_ waveform: Waveform, ratio: Double, level: Double, from start: Double = 0) {
        self.waveform = waveform
        self.ratio = ratio
        self.level = level
        self.start = start
    }

    func table(highestFrequency: Double) -> Wavetable {
        Wavetable(waveform: waveform, highestFrequency: highestFrequency * ratio)
    }
}

/// A low-pass that goes exponentially from one corner frequency to another.
struct Sweep: Sendable, BitwiseCopyable {
    /// Hz.
    let start: Double
    /// Hz.
    let end: Double
    /// Seconds until 0.001 of the way is left; 0 to jump.
    let seconds: Double
    let q: Double
    /// How far the frequencies follow the notes: 0 not at all, 1 fully.
    let keyTracking: Double
    /// How much of the way from end to start a normal note begins with.
    let normalFactor: Double

    /// A Butterworth low-pass that stays where it is.
    init(_ frequency: Double) {
        self.init(frequency, to: frequency, in: 0, q: BiquadCoefficients.butterworth, tracking: 0, normal: 1)
    }

    init(_ start: Double, to end: Double, in seconds: Double, q: Double, tracking: Double, normal: Double) {
        self.start = start
        self.end = end
        self.seconds = seconds
        self.q = q
        keyTracking = tracking
        normalFactor = normal
    }
}

/// What modulates a sine: another sine, and how far.
struct Modulator: Sendable, BitwiseCopyable {
    /// Its frequency relative to the note's.
    let ratio: Double
    /// Radians.
    let start: Double
    /// Radians.
    let end: Double
    /// Seconds until 0.001 of the way is left.
    let seconds: Double
    /// How much of the way from end to start a normal note begins with.
    let normalFactor: Double

    init(ratio: Double, _ start: Double, to end: Double, in seconds: Double, normal: Double) {
        self.ratio = ratio
        self.start = start
        self.end = end
        self.seconds = seconds
        normalFactor = normal
    }
}

/// How a preset's loudness develops.
struct Contour: Sendable, BitwiseCopyable {
    /// Seconds; at most 0.3 of the note.
    let attack: Double
    /// The attack of notes of at most 0.2 s, and of held ones.
    let shortAttack: Double
    /// The level to which it falls, relative to the highest.
    let sustain: Double
    /// Seconds until 0.001 of the way to it is left, or until it is reached in a straight line.
    let sustainSeconds: Double
    let isStraight: Bool
    /// Seconds; at most 0.3 of the note.
    let release: Double

    init(attack: Double, sustain: Double, in sustainSeconds: Double, release: Double) {
        (self.attack, shortAttack) = (attack, attack)
        self.sustain = sustain
        self.sustainSeconds = sustainSeconds
        isStraight = false
        self.release = release
    }

    private init() {
        (attack, shortAttack) = (0.02, 0.01)
        (sustain, sustainSeconds, isStraight) = (1, 0.06, true)
        release = 0.15
    }

    /// The contour of each track's first preset.
    static let first = Contour()
}

/// A preset, prepared for a track and a sample rate.
struct PreparedPreset: BitwiseCopyable {
    /// What makes the sound.
    enum Voice: BitwiseCopyable {
        case tables(PreparedTables, Sweep)
        case modulated(Modulator)

        /// How far the starts of its oscillators are moved. A pulse is made of two equal waves, whose distance stays: else
        /// some of its notes would fall silent.
        func phases(_ drift: inout Drift) -> (UInt32, UInt32) {
            guard drift.isOpen else { return (0, 0) }
            let first = drift.phase()
            guard case .tables(let tables, _) = self else { return (first, drift.phase()) }
            guard tables.hasSecond else { return (first, 0) }
            let second = drift.phase()
            return (first, tables.isPulse ? first : second)
        }
    }

    let voice: Voice
    let contour: Contour
    /// As in ``PitchedPreset/sway``.
    let sway: Double
    /// The peak level of an accent.
    let peak: Double

    init(_ preset: PitchedPreset, highestFrequency: Double, _ tables: WavetableSet) {
        contour = preset.contour
        sway = preset.sway
        peak = preset.gain
        switch preset.voice {
        case .tables(let first, let second, let sweep):
            self.voice = .tables(
                PreparedTables(first, second, highestFrequency: highestFrequency, tables), sweep)
        case .modulated(let modulator): self.voice = .modulated(modulator)
        }
    }
}

/// Two prepared oscillators.
struct PreparedTables: BitwiseCopyable {
    /// One oscillator.
    struct Part: BitwiseCopyable {
        let base: UInt32
        /// Whether the table holds a sine.
        let isSine: Bool
        let ratio: Double
        let level: Float
        /// Where its cycle starts, as a part of 2^32.
        let phase: UInt32

        init(_ oscillator: Oscillator, highestFrequency: Double, _ tables: WavetableSet) {
            base = tables.base(of: oscillator.table(highestFrequency: highestFrequency))
            isSine = oscillator.waveform == .sine
            ratio = oscillator.ratio
            level = Float(oscillator.level)
            phase = UInt32(oscillator.start * 4_294_967_296)
        }
    }

    let first: Part
    let second: Part
    /// Whether the second one is heard.
    let hasSecond: Bool
    /// Whether the second one is the first one turned over.
    var isPulse: Bool { hasSecond && second.level == -first.level }

    init(_ first: Oscillator, _ second: Oscillator?, highestFrequency: Double, _ tables: WavetableSet) {
        self.first = Part(first, highestFrequency: highestFrequency, tables)
        let silent = Oscillator(first.waveform, ratio: first.ratio, level: 0)
        self.second = Part(second ?? silent, highestFrequency: highestFrequency, tables)
        hasSecond = second != nil
    }
}
