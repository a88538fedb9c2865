/// What a track's notes sound like: a plain value of fixed size in the score.
///
/// A note that sounds keeps the description that it started with; the next one has the new.
public enum VoiceDescription: Sendable, BitwiseCopyable, Equatable {
    /// For pitched tracks; one of drums takes no notice of it.
    case pitched(PitchedVoice)
    /// For tracks of drums; a pitched one takes no notice of it.
    case drums(Kit)
}

/// The voice of a pitched track: an oscillator through a low-pass.
public struct PitchedVoice: Sendable, BitwiseCopyable, Equatable {
    /// What a note is made of.
    public enum Source: Sendable, BitwiseCopyable, Equatable {
        case sine
        /// A band-limited waveform.
        case table(Wavetable)
    }

    /// What a note is made of.
    public var source: Source
    /// Where the low-pass begins, in Hz; a Butterworth filter of two poles.
    public var cutoff: Double

    /// A voice.
    public init(source: Source, cutoff: Double) {
        self.source = source
        self.cutoff = cutoff
    }
}

/// A drum kit, made ready with the engine.
public enum Kit: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    case classic
}
