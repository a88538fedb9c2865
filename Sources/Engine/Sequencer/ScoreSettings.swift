/// What the sequencer needs to know of a score besides the cells.
struct ScoreSettings: BitwiseCopyable {
    private let bpm: Double
    private let swing: Double
    /// Steps that are played.
    let length: Int
    private let sync: SyncSettings
    /// One bit for each track that is silent.
    private let silent: UInt32

    @_noLocks @_noAllocation
    init(_ score: borrowing Score) {
        bpm = score.bpm
        swing = score.swing
        sync = score.sync
        length = max(1, Int(score.length))
        var silent: UInt32 = 0
        for track in 0..<trackCount where score.tracks[track].isSilent {
            silent |= 1 << UInt32(truncatingIfNeeded: track)
        }
        self.silent = silent
    }

    /// Whether a track is muted, or another one soloed.
    @_noLocks @_noAllocation
    func isSilent(_ track: Int) -> Bool { silent >> UInt32(truncatingIfNeeded: track) & 1 == 1 }

    /// What the transport is to be told.
    @_noLocks @_noAllocation
    func transport(sampleRate: Double) -> TransportSettings {
        TransportSettings(bpm: bpm, swing: swing, length: length, sync: sync, sampleRate: sampleRate)
    }
}
