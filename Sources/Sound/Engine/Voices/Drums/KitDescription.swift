import Music

/// A drum kit: a row of the table of kits.
struct KitDescription: Sendable {
    /// The frequencies in Hz of the six square waves that make up the metal; none in a kit without metal.
    let metal: [Double]
    /// The factor of the level of noise and metal in normal hits.
    let normalNoise: Double
    /// Whether noise is limited to audible frequencies.
    let limitsNoise: Bool
    /// In the order of `Music.Drum`.
    let drums: [DrumDescription]

    /// - Parameter places: Where the drums are; those that are not named are in the middle.
    init(
        metal: [Double], normalNoise: Double = 0.7, limitsNoise: Bool = true,
        places: [Drum: Double] = KitDescription.usualPlaces, drums: [Drum: DrumDescription]
    ) {
        self.metal = metal
        self.normalNoise = normalNoise
        self.limitsNoise = limitsNoise
        self.drums = Drum.allCases.map {
            var drum = drums[$0]!
            drum.place = places[$0] ?? 0
            return drum
        }
    }

    /// As a drummer's kit is heard by its audience: hats on one side, kicks, snares and rimshot in the middle.
    static let usualPlaces: [Drum: Double] = [
        .closedHat: 0.25, .openHat: 0.25, .ride: -0.45, .crash: 0.5, .clap: -0.35, .lowTom: 0.4, .cowbell: -0.3,
    ]

    /// The waveforms that the drums need.
    var tables: [Wavetable] {
        drums.flatMap(\.parts).compactMap { part in
            guard case .table(let waveform, let frequency) = part.source else { return nil }
            return Wavetable(waveform: waveform, highestFrequency: frequency)
        }
    }
}

/// A drum: a sum of parts, and its output stage.
struct DrumDescription: Sendable {
    /// At most four.
    let parts: [DrumPart]
    /// Centre in Hz and Q of a band-pass over the sum.
    let bandPass: (Double, Double)?
    /// How far the sum is driven into saturation; nil for none.
    let drive: Double?
    /// The final factor.
    let gain: Double
    /// Where it is, from -1, left, to 1, right.
    var place = 0.0

    init(_ parts: [DrumPart], bandPass: (Double, Double)? = nil, drive: Double? = nil, gain: Double) {
        self.parts = parts
        self.bandPass = bandPass
        self.drive = drive
        self.gain = gain
    }
}

/// One of the parts whose sum is a drum.
struct DrumPart: Sendable {
    /// What makes the sound, before its envelope.
    enum Source: Sendable {
        case sine(Glide)
        /// A band-limited waveform of a frequency in Hz.
        case table(Waveform, Double)
        case noise(FilterDescription)
        case metal(FilterDescription)
    }

    /// A glide from one frequency to another.
    struct Glide {
        /// Hz.
        let start: Double
        /// Hz.
        let end: Double
        /// Seconds until it is there, or until 0.001 of the way is left.
        let seconds: Double
        /// Whether the pitch falls evenly, rather than ever more slowly.
        let isEven: Bool
        /// A second, faster glide that adds to the frequency: how many Hz at the start, and seconds until 0.001 of them
        /// are left; nil for none.
        var bend: (Double, Double)?
    }

    let source: Source
    let level: Double
    /// Seconds in which it falls to 0.001.
    let decay: Double
    /// Seconds before it falls.
    var hold = 0.0
    /// Seconds in which it rises.
    var attack = 0.0
    /// How often it starts.
    var bursts = 1
    /// Seconds from one burst to the next.
    var distance = 0.0

    static func sine(
        _ start: Double, to end: Double, in seconds: Double, isEven: Bool = false, bend: (Double, Double)? = nil,
        level: Double, decay: Double, hold: Double = 0
    ) -> DrumPart {
        let glide = Glide(start: start, end: end, seconds: seconds, isEven: isEven, bend: bend)
        return DrumPart(source: .sine(glide), level: level, decay: decay, hold: hold)
    }

    static func square(_ frequency: Double, level: Double, decay: Double) -> DrumPart {
        DrumPart(source: .table(.square, frequency), level: level, decay: decay)
    }

    static func triangle(_ frequency: Double, level: Double, decay: Double) -> DrumPart {
        DrumPart(source: .table(.triangle, frequency), level: level, decay: decay)
    }

    static func noise(
        _ kind: BiquadCoefficients.Kind, _ frequency: Double, q: Double, level: Double, decay: Double, bursts: Int = 1,
        every distance: Double = 0, attack: Double = 0
    ) -> DrumPart {
        DrumPart(
            source: .noise(FilterDescription(kind, frequency: frequency, q: q)), level: level, decay: decay,
            attack: attack, bursts: bursts, distance: distance)
    }

    static func metal(
        _ kind: BiquadCoefficients.Kind, _ frequency: Double, q: Double, level: Double, decay: Double
    ) -> DrumPart {
        DrumPart(source: .metal(FilterDescription(kind, frequency: frequency, q: q)), level: level, decay: decay)
    }

    /// The envelope: attack, hold, and exponential decay, once for each burst; then 1 ms to zero.
    func shape(sampleRate: Double) -> EnvelopeShape {
        let length = { frames($0, sampleRate: sampleRate) }
        var shape = EnvelopeShape()
        for _ in 1..<bursts {
            let fall = logSixtyDecibelsDown * distance / decay
            shape.append(EnvelopeSegment(from: level, logRatio: fall, frames: length(distance)))
        }
        shape.append(EnvelopeSegment(from: 0, to: level, frames: length(attack)))
        shape.append(EnvelopeSegment(from: level, to: level, frames: length(hold)))
        shape.append(EnvelopeSegment(from: level, logRatio: logSixtyDecibelsDown, frames: length(decay)))
        shape.append(EnvelopeSegment(from: 0.001 * level, to: 0, frames: length(0.001)))
        return shape
    }
}
