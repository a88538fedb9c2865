import Music

/// What a score says to the transport.
struct TransportSettings: BitwiseCopyable {
    /// Our own tempo.
    var bpm: Double
    /// See ``Score/tempoRevision``.
    var tempoRevision = 0
    var swing: Double
    var length: Int
    var sync: SyncSettings
    var sampleRate: Double

    /// What the clock is to go by at a tempo; the whole's loop begins with a step of the song.
    func timing(bpm: Double, loopFrom origin: Int64 = 0) -> StepTiming {
        StepTiming(bpm: bpm, swing: swing, loop: Loop(length: length, origin: origin), sampleRate: sampleRate)
    }

    func stepFrames(bpm: Double) -> Double { sampleRate * 60 / bpm / 4 }
}
