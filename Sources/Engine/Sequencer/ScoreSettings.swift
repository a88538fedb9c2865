import Music

/// What the sequencer needs to know of a score besides the cells.
struct ScoreSettings: BitwiseCopyable {
    private let bpm: Double
    private let swing: Double
    /// Steps that are played.
    let length: Int
    private let sync: SyncSettings
    /// Tracks that are muted, or not the soloed one.
    let silent: TrackSet

    @_noLocks @_noAllocation
    init(_ parameters: borrowing LiveParameters, silent: TrackSet) {
        bpm = parameters[.tempo]
        swing = parameters[.swing]
        length = max(1, Int(parameters[.length]))
        sync = SyncSettings(parameters)
        self.silent = silent
    }

    /// Whether a track is muted, or another one soloed.
    @_noLocks @_noAllocation
    func isSilent(_ track: Int) -> Bool { silent.contains(track) }

    /// What the transport is to be told.
    @_noLocks @_noAllocation
    func transport(sampleRate: Double) -> TransportSettings {
        TransportSettings(bpm: bpm, swing: swing, length: length, sync: sync, sampleRate: sampleRate)
    }
}
