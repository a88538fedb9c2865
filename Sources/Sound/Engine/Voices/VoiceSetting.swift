import Music

/// What a track's voices are prepared for: the sample rate, and the track's parameters.
struct VoiceSetting: BitwiseCopyable {
    /// Frames per second.
    let sampleRate: Double
    let parameters: TrackParameters
    /// How far the track's filters are moved: the ratio of their frequencies to the described ones.
    let tone: Double

    init(sampleRate: Double, parameters: TrackParameters) {
        self.init(sampleRate: sampleRate, parameters: parameters, semitones: parameters[.tone])
    }

    /// A setting with another tone than the parameters'.
    init(sampleRate: Double, parameters: TrackParameters, semitones: Double) {
        self.sampleRate = sampleRate
        self.parameters = parameters
        tone = exponential(semitones * (0.693_147_180_559_945_3 / 12))
    }

    /// A filter's frequency in Hz: moved by the track's tone, but never above 0.42 of the sample rate, or of 48 kHz.
    func frequency(of filter: FilterDescription) -> Double {
        min(filter.frequency * tone, 0.42 * min(sampleRate, 48_000))
    }
}

struct FilterDescription: BitwiseCopyable {
    let kind: BiquadCoefficients.Kind
    /// Corner or centre frequency in Hz.
    let frequency: Double
    let q: Double

    init(_ kind: BiquadCoefficients.Kind, frequency: Double, q: Double = BiquadCoefficients.butterworth) {
        self.kind = kind
        self.frequency = frequency
        self.q = q
    }
}

struct PreparedFilter: BitwiseCopyable {
    private let description: FilterDescription
    /// The rate that it runs at.
    private let rate: Double
    private var frequency: Double
    private(set) var coefficients: BiquadCoefficients

    init(_ description: FilterDescription, rate: Double, _ setting: VoiceSetting) {
        self.description = description
        self.rate = rate
        frequency = setting.frequency(of: description)
        coefficients = BiquadCoefficients(description.kind, frequency: frequency, q: description.q, sampleRate: rate)
    }

    /// Adapts to other parameters.
    mutating func apply(_ setting: VoiceSetting) {
        if setting.frequency(of: description) == frequency { return }
        self = PreparedFilter(description, rate: rate, setting)
    }
}
