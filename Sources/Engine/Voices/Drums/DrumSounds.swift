import Music

/// One of the things that a drum is mixed from.
struct DrumPartial {
    /// What makes the sound, before its envelope.
    enum Source {
        /// A sine that glides exponentially from one frequency to a lower one (Hz) in a time (s).
        case sine(from: Double, to: Double, glide: Double)
        /// A steady waveform of a frequency in Hz.
        case table(Wavetable, frequency: Double)
        /// Noise through a filter.
        case noise(FilterDescription)

        /// A sine of one frequency in Hz.
        static func sine(_ frequency: Double) -> Source { .sine(from: frequency, to: frequency, glide: 1) }

        /// Noise through a high-pass without resonance.
        static func highPassedNoise(_ frequency: Double) -> Source {
            .noise(FilterDescription(.highPass, frequency: frequency))
        }
    }

    var source: Source
    /// The peak at level 1, relative to ``DrumPartial/reference``.
    var peak: Double
    /// Seconds until the envelope has fallen to 0.001.
    var decay: Double
    /// How often the envelope starts, 15 ms apart, each time anew.
    var bursts = 1

    /// The peak of a drum of factor 1 at level 1.
    static let reference = 0.30
    /// Seconds between bursts.
    static let burstDistance = 0.015
}

extension Drum {
    /// The drum that this one silences when it is hit.
    var choked: Drum? { self == .closedHat ? .openHat : nil }
}

extension Drum {
    /// What the first kit mixes the drum from. A factor that the drum as a whole has is shared out among its partials.
    var partials: [DrumPartial] {
        switch self {
        case .kick: [DrumPartial(source: .sine(from: 150, to: 30, glide: 0.1), peak: 1.5, decay: 0.3)]
        case .kick2: [DrumPartial(source: .sine(from: 120, to: 30, glide: 0.1), peak: 1.5, decay: 0.3)]
        case .lowTom: [DrumPartial(source: .sine(from: 100, to: 60, glide: 0.15), peak: 1, decay: 0.25)]
        case .snare: Drum.snare(highPass: 1000, body: 180)
        case .snare2: Drum.snare(highPass: 1500, body: 200)
        case .rimshot: [DrumPartial(source: .table(.rimshot, frequency: 800), peak: 0.5, decay: 0.05)]
        case .clap:
            [
                DrumPartial(
                    source: .noise(FilterDescription(.bandPass, frequency: 1200, q: 1)), peak: 0.6, decay: 0.1,
                    bursts: 3)
            ]
        case .closedHat: [DrumPartial(source: .highPassedNoise(7000), peak: 0.4, decay: 0.05)]
        case .openHat: [DrumPartial(source: .highPassedNoise(6000), peak: 0.35, decay: 0.25)]
        case .crash: [DrumPartial(source: .highPassedNoise(4000), peak: 0.5, decay: 0.5)]
        case .ride:
            [
                DrumPartial(source: .table(.ride, frequency: 350), peak: 0.125, decay: 0.4),
                DrumPartial(source: .sine(620), peak: 0.125, decay: 0.4),
            ]
        case .cowbell:
            [560, 845].map { DrumPartial(source: .table(.cowbell, frequency: $0), peak: 0.125, decay: 0.15) }
        }
    }

    private static func snare(highPass: Double, body: Double) -> [DrumPartial] {
        [
            DrumPartial(source: .highPassedNoise(highPass), peak: 0.8, decay: 0.15),
            DrumPartial(source: .sine(body), peak: 0.5, decay: 0.08),
        ]
    }
}

extension DrumPartial {
    /// Exponential decay from the very first frame, once for each burst, then 1 ms to zero.
    func shape(sampleRate: Double) -> EnvelopeShape {
        var shape = EnvelopeShape()
        shape.appendDrum(
            level: peak * DrumPartial.reference, bursts: bursts, distance: DrumPartial.burstDistance, decay: decay,
            sampleRate: sampleRate)
        return shape
    }
}
