import Music

/// What a track's voices are made ready for: the sample rate, and the track's parameters.
struct VoiceSetting: BitwiseCopyable {
    /// Frames per second.
    let sampleRate: Double
    let parameters: TrackParameters
    /// How far the track's filters are moved: the ratio of their frequencies to those that they are described with.
    let tone: Double

    @_noLocks @_noAllocation
    init(sampleRate: Double, parameters: TrackParameters) {
        self.sampleRate = sampleRate
        self.parameters = parameters
        tone = exponential(parameters[.tone] * (0.693_147_180_559_945_3 / 12))
    }

    /// Where a filter is, in Hz: moved by the track's tone, but never above 0.42 of the sample rate, nor higher than it could
    /// be at 48 kHz.
    @_noLocks @_noAllocation
    func frequency(of filter: FilterDescription) -> Double {
        min(filter.frequency * tone, 0.42 * min(sampleRate, 48_000))
    }
}

/// A filter of a voice.
struct FilterDescription: BitwiseCopyable {
    let kind: BiquadCoefficients.Kind
    /// Corner or centre frequency in Hz.
    let frequency: Double
    let q: Double

    @_noLocks @_noAllocation
    init(_ kind: BiquadCoefficients.Kind, frequency: Double, q: Double = BiquadCoefficients.butterworth) {
        self.kind = kind
        self.frequency = frequency
        self.q = q
    }
}

/// A filter made ready.
struct PreparedFilter: BitwiseCopyable {
    private let description: FilterDescription
    /// Whether it is the same at every sample rate.
    private let isSteady: Bool
    /// What is multiplied by what passes.
    private let gain: Float
    private var frequency: Double
    private(set) var coefficients: BiquadCoefficients

    @_noLocks @_noAllocation
    init(_ description: FilterDescription, isSteady: Bool = false, gain: Float = 1, _ setting: VoiceSetting) {
        self.description = description
        self.isSteady = isSteady
        self.gain = gain
        frequency = setting.frequency(of: description)
        coefficients = PreparedFilter.coefficients(description, isSteady: isSteady, frequency, setting)
            .scaled(by: gain)
    }

    /// Fits other parameters.
    @_noLocks @_noAllocation
    mutating func take(_ setting: VoiceSetting) {
        let new = setting.frequency(of: description)
        guard new != frequency else { return }
        frequency = new
        coefficients = PreparedFilter.coefficients(description, isSteady: isSteady, frequency, setting)
            .scaled(by: gain)
    }

    @_noLocks @_noAllocation
    private static func coefficients(
        _ description: FilterDescription, isSteady: Bool, _ frequency: Double, _ setting: VoiceSetting
    ) -> BiquadCoefficients {
        let (kind, q, rate) = (description.kind, description.q, setting.sampleRate)
        return isSteady
            ? BiquadCoefficients(steady: kind, frequency: frequency, q: q, sampleRate: rate)
            : BiquadCoefficients(kind, frequency: frequency, q: q, sampleRate: rate)
    }
}
