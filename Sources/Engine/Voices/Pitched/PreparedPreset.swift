/// A preset made ready for a track and a sample rate.
struct PreparedPreset: BitwiseCopyable {
    /// What makes the sound.
    enum Voice: BitwiseCopyable {
        case tables(PreparedTables, Sweep)
        case modulated(Modulator)
    }

    let voice: Voice
    let contour: Contour
    /// The level of an accent's highest point.
    let peak: Double

    init(_ preset: PitchedPreset, highestFrequency: Double, _ tables: WavetableSet) {
        contour = preset.contour
        peak = preset.gain
        switch preset.voice {
        case .tables(let first, let second, let sweep):
            self.voice = .tables(
                PreparedTables(first, second, highestFrequency: highestFrequency, tables), sweep)
        case .modulated(let modulator): self.voice = .modulated(modulator)
        }
    }
}

/// Two oscillators made ready.
struct PreparedTables: BitwiseCopyable {
    /// One oscillator.
    struct Part: BitwiseCopyable {
        let base: UInt32
        /// Whether the table holds a sine.
        let isSine: Bool
        let ratio: Double
        let level: Float
        /// Where its cycle starts, of 2^32.
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

    init(_ first: Oscillator, _ second: Oscillator?, highestFrequency: Double, _ tables: WavetableSet) {
        self.first = Part(first, highestFrequency: highestFrequency, tables)
        let silent = Oscillator(first.waveform, ratio: first.ratio, level: 0)
        self.second = Part(second ?? silent, highestFrequency: highestFrequency, tables)
        hasSecond = second != nil
    }
}
