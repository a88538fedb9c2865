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
