/// A drum of a kit, prepared for a sample rate.
struct PreparedDrum: ~Copyable {
    private let place = Pinned()
    /// A part, which plays in its own lane.
    struct Part: BitwiseCopyable {
        enum Source: BitwiseCopyable {
            case sine(PreparedGlide)
            case table(base: UInt32, increment: UInt32)
            case noise(PreparedFilter, isMetal: Bool)
        }

        var source: Source
        let shape: EnvelopeShape

        init(_ part: DrumPart, _ tables: WavetableSet, _ setting: VoiceSetting) {
            let sampleRate = setting.sampleRate
            let noiseRate = NoiseRate.of(sampleRate: sampleRate)
            shape = part.shape(sampleRate: sampleRate)
            switch part.source {
            case .sine(let glide): source = .sine(PreparedGlide(glide, sampleRate: sampleRate))
            case .table(let waveform, let frequency):
                let base = tables.base(of: Wavetable(waveform: waveform, highestFrequency: frequency))
                source = .table(base: base, increment: phaseIncrement(frequency, sampleRate: sampleRate))
            case .noise(let filter):
                source = .noise(PreparedFilter(filter, rate: noiseRate, setting), isMetal: false)
            case .metal(let filter):
                source = .noise(PreparedFilter(filter, rate: noiseRate, setting), isMetal: true)
            }
        }

        mutating func apply(_ setting: VoiceSetting) {
            guard case .noise(var filter, let isMetal) = source else { return }
            filter.apply(setting)
            source = .noise(filter, isMetal: isMetal)
        }
    }

    private var parts: InlineArray<4, Part>
    private(set) var count: Int
    private(set) var band: PreparedFilter?
    let drive: Drive?
    let gain: Float
    /// Where it is, from -1, left, to 1.
    let position: Float
    /// The factor of the noise's level in normal hits.
    let normalNoise: Float
    let limitsNoise: Bool
    /// What its parts are made of.
    let kinds: PartKinds
    /// Whether its parts are only added up. It then has no output stage, and no noise that is resampled or limited:
    /// that is done in all lanes at once.
    let isPlain: Bool

    init(_ drum: DrumDescription, of kit: KitDescription, _ tables: WavetableSet, _ setting: VoiceSetting) {
        precondition((1...4).contains(drum.parts.count), "a drum has one to four parts")
        count = drum.parts.count
        parts = InlineArray { Part(drum.parts[min($0, drum.parts.count - 1)], tables, setting) }
        band = drum.bandPass.map {
            PreparedFilter(
                FilterDescription(.bandPass, frequency: $0.0, q: $0.1), rate: setting.sampleRate, setting)
        }
        drive = drum.drive.map(Drive.init)
        gain = Float(drum.gain)
        position = Float(drum.place)
        normalNoise = Float(kit.normalNoise)
        limitsNoise = kit.limitsNoise
        kinds = PartKinds(drum.parts)
        let isWhole = NoiseRate.of(sampleRate: setting.sampleRate) == setting.sampleRate && !kit.limitsNoise
        isPlain = drum.bandPass == nil && drum.drive == nil && (isWhole || !kinds.haveNoise)
    }

    /// Adapts to the track's parameters.
    mutating func apply(_ setting: VoiceSetting) {
        for index in 0..<count { parts[index].apply(setting) }
        band?.apply(setting)
    }

    /// One of the parts, 0 ..< ``count``.
    subscript(index: Int) -> Part {
        get { parts[index] }
    }
}

/// What the parts of a drum are made of.
struct PartKinds: BitwiseCopyable {
    /// 1 for sines, 2 for tables, 4 for noise.
    private(set) var bits: UInt8 = 0

    /// No parts.
    init() {}

    init(_ parts: [DrumPart]) {
        for part in parts {
            switch part.source {
            case .sine: bits |= 1
            case .table: bits |= 2
            case .noise, .metal: bits |= 4
            }
        }
    }

    var haveNoise: Bool { bits & 4 != 0 }
}

/// A prepared glide of a sine, in turns per frame.
enum PreparedGlide: BitwiseCopyable {
    /// `frames`: until 0.001 of the way is left. A bend adds turns, multiplied by a factor each frame.
    case approach(from: Double, to: Double, frames: Double, bend: Double = 0, bendFactor: Double = 0)
    /// `factor`: multiplies the frequency each frame until it is there.
    case fall(from: Double, to: Double, factor: Double)

    /// The same glide at other frequencies.
    func detuned(by factor: Double) -> PreparedGlide {
        switch self {
        case .approach(let start, let end, let frames, let bend, let bendFactor):
            .approach(
                from: factor * start, to: factor * end, frames: frames, bend: factor * bend, bendFactor: bendFactor)
        case .fall(let start, let end, let slope): .fall(from: factor * start, to: factor * end, factor: slope)
        }
    }

    init(_ glide: DrumPart.Glide, sampleRate: Double) {
        let (start, end, frames) = (glide.start / sampleRate, glide.end / sampleRate, glide.seconds * sampleRate)
        self =
            glide.isEven
            ? .fall(from: start, to: end, factor: factorPerFrame(logRatio: logarithm(end / start), frames: frames))
            : .approach(
                from: start, to: end, frames: frames, bend: (glide.bend?.0 ?? 0) / sampleRate,
                bendFactor: glide.bend.map { factorPerFrame(logRatio: logSixtyDecibelsDown, frames: $0.1 * sampleRate) }
                    ?? 0)
    }
}

/// A saturation: f(D x) / f(min(D, 3)) with f(x) = x (27 + x^2) / (27 + 9 x^2), a rational approximation of the
/// hyperbolic tangent that is 1 from 3 on.
struct Drive: BitwiseCopyable {
    private let amount: Float
    private let scale: Float

    init(_ drive: Double) {
        amount = Float(drive)
        scale = 1 / Drive.saturated(Float(min(drive, 3)))
    }

    @inline(__always)
    func apply(_ sample: Float) -> Float { Drive.saturated(amount * sample) * scale }

    @inline(__always)
    private static func saturated(_ sample: Float) -> Float {
        let x = min(max(sample, -3), 3)
        return x * (27 + x * x) / (27 + 9 * x * x)
    }
}
