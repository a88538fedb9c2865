/// A drum of a kit made ready for a sample rate.
struct PreparedDrum: ~Copyable {
    private let place = Pinned()
    /// A part, in a lane of its own.
    struct Part: BitwiseCopyable {
        enum Source: BitwiseCopyable {
            /// Turns a frame, and in how many frames all but 0.001 of the way is gone.
            case sine(from: Double, to: Double, frames: Double)
            case square(base: UInt32, increment: UInt32)
            case noise(PreparedFilter)
            case metal(PreparedFilter)
        }

        var source: Source
        let shape: EnvelopeShape

        init(_ part: DrumPart, _ tables: WavetableSet, _ setting: VoiceSetting) {
            let sampleRate = setting.sampleRate
            let noiseRate = NoiseRate.of(sampleRate: sampleRate)
            shape = part.shape(sampleRate: sampleRate)
            switch part.source {
            case .sine(let from, let to, let seconds):
                source = .sine(from: from / sampleRate, to: to / sampleRate, frames: seconds * sampleRate)
            case .square(let frequency):
                let base = tables.base(of: Wavetable(waveform: .square, highestFrequency: frequency))
                source = .square(base: base, increment: phaseIncrement(frequency, sampleRate: sampleRate))
            case .noise(let filter): source = .noise(PreparedFilter(filter, rate: noiseRate, setting))
            case .metal(let filter): source = .metal(PreparedFilter(filter, rate: noiseRate, setting))
            }
        }

        mutating func apply(_ setting: VoiceSetting) {
            switch source {
            case .noise(var filter):
                filter.apply(setting)
                source = .noise(filter)
            case .metal(var filter):
                filter.apply(setting)
                source = .metal(filter)
            case .sine, .square: break
            }
        }
    }

    private var parts: InlineArray<4, Part>
    private(set) var count: Int
    private(set) var band: PreparedFilter?
    let drive: Drive?
    let gain: Float

    init(_ drum: DrumDescription, _ tables: WavetableSet, _ setting: VoiceSetting) {
        precondition((1...4).contains(drum.parts.count), "a drum has one to four parts")
        count = drum.parts.count
        parts = InlineArray { Part(drum.parts[min($0, drum.parts.count - 1)], tables, setting) }
        band = drum.bandPass.map {
            PreparedFilter(
                FilterDescription(.bandPass, frequency: $0.0, q: $0.1), rate: setting.sampleRate, setting)
        }
        drive = drum.drive.map(Drive.init)
        gain = Float(drum.gain)
    }

    /// Fits the track's parameters.
    mutating func apply(_ setting: VoiceSetting) {
        for index in 0..<count { parts[index].apply(setting) }
        band?.apply(setting)
    }

    /// One of the parts, 0 ..< ``count``.
    subscript(index: Int) -> Part {
        get { parts[index] }
    }
}

/// A saturation: f(D x) / f(min(D, 3)) with f(x) = x (27 + x^2) / (27 + 9 x^2), a rational approximation of the hyperbolic
/// tangent, that is 1 from 3 on.
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
