/// A preset made ready for a track and a sample rate.
struct PreparedPreset: BitwiseCopyable {
    /// What makes the sound.
    enum Voice: BitwiseCopyable {
        case steady(PreparedSteadyVoice)
        case tables(PreparedTables, Sweep)
        case modulated(Modulator)
    }

    var voice: Voice
    let contour: Contour?
    /// The level of an accent's highest point.
    let peak: Double

    init(_ preset: PitchedPreset, highestFrequency: Double, _ tables: WavetableSet, _ setting: VoiceSetting) {
        contour = preset.contour
        peak = preset.gain
        switch preset.voice {
        case .steady(let voice): self.voice = .steady(PreparedSteadyVoice(voice, tables, setting))
        case .tables(let first, let second, let sweep):
            self.voice = .tables(
                PreparedTables(first, second, highestFrequency: highestFrequency, tables), sweep)
        case .modulated(let modulator): self.voice = .modulated(modulator)
        }
    }

    /// Fits a track's parameters.
    @_noLocks @_noAllocation
    mutating func take(_ setting: VoiceSetting) {
        guard case .steady(var steady) = voice else { return }
        steady.take(setting)
        voice = .steady(steady)
    }
}

/// A steady voice made ready.
struct PreparedSteadyVoice: BitwiseCopyable {
    /// Whether the oscillator is a table, which then begins at ``base``; else it is a sine.
    let isTable: Bool
    let base: UInt32
    private(set) var filter: PreparedFilter

    init(_ voice: SteadyVoice, _ tables: WavetableSet, _ setting: VoiceSetting) {
        isTable = voice.table != nil
        base = voice.table.map(tables.base) ?? 0
        filter = PreparedFilter(FilterDescription(.lowPass, frequency: voice.cutoff), setting)
    }

    @_noLocks @_noAllocation
    mutating func take(_ setting: VoiceSetting) { filter.take(setting) }
}

/// Two oscillators made ready.
struct PreparedTables: BitwiseCopyable {
    /// One oscillator.
    struct Part: BitwiseCopyable {
        let base: UInt32
        let ratio: Double
        let level: Float
        /// Where its cycle starts, of 2^32.
        let phase: UInt32

        init(_ oscillator: Oscillator, highestFrequency: Double, _ tables: WavetableSet) {
            base = tables.base(of: oscillator.table(highestFrequency: highestFrequency))
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
