/// A drum's partial made ready for a sample rate, and the group and lane that are its own.
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
        case noise(BiquadCoefficients)
    }

    var source: Source
    var shape: EnvelopeShape
    var group: Int
    var lane: Int

    /// Prepares the partial that is the `index`th of its kind.
    init(_ partial: DrumPartial, index: Int, sampleRate: Double) {
        group = index / laneCount
        lane = index % laneCount
        shape = partial.shape(sampleRate: sampleRate)
        switch partial.source {
        case .sine(let from, let to, let glide):
            let factor = exponential(logarithm(to / from) / (glide * sampleRate))
            source = .sine(
                Glide(start: Float(from / sampleRate), factor: Float(factor), end: Float(to / sampleRate)))
        case .table(let use, let frequency):
            source = .table(base: use.base, increment: phaseIncrement(frequency, sampleRate: sampleRate))
        case .noise(let kind, let frequency, let q):
            source = .noise(BiquadCoefficients(steady: kind, frequency: frequency, q: q, sampleRate: sampleRate))
        }
    }
}
