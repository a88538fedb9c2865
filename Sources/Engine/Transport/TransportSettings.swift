/// What a score says to the transport.
struct TransportSettings: BitwiseCopyable {
    /// Our own tempo.
    var bpm: Double
    var swing: Double
    var length: Int
    var sync: SyncSettings
    var sampleRate: Double

    @_noLocks @_noAllocation
    init(bpm: Double, swing: Double, length: Int, sync: SyncSettings, sampleRate: Double) {
        self.bpm = bpm
        self.swing = swing
        self.length = length
        self.sync = sync
        self.sampleRate = sampleRate
    }

    /// What the clock is to go by at a tempo.
    @_noLocks @_noAllocation
    func timing(bpm: Double) -> StepTiming {
        StepTiming(bpm: bpm, swing: swing, length: length, sampleRate: sampleRate)
    }

    @_noLocks @_noAllocation
    func stepFrames(bpm: Double) -> Double { sampleRate * 60 / bpm / 4 }
}
