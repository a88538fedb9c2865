import Music

/// What the sequencer needs to know of a score besides the cells.
struct ScoreSettings: BitwiseCopyable {
    private let bpm: Double
    private let tempoRevision: Int
    private let swing: Double
    /// Steps that are played.
    let length: Int
    private let sync: SyncSettings
    /// What decides which notes play.
    let dice: Dice
    /// Tracks that are muted, or not the soloed one.
    let silent: TrackSet
    /// Whether somebody holds FILL.
    let isFilling: Bool
    /// The step of the song from which on nothing starts.
    let end: Int64

    init(
        _ parameters: borrowing LiveParameters, silent: TrackSet, isFilling: Bool, end: Int64, tempoRevision: Int
    ) {
        bpm = parameters[.tempo]
        self.tempoRevision = tempoRevision
        swing = parameters[.swing]
        length = max(1, Int(parameters[.length]))
        sync = SyncSettings(parameters)
        dice = Dice(seed: parameters[.diceSeed])
        self.silent = silent
        self.isFilling = isFilling
        self.end = end
    }

    /// Whether a track is muted, or another one soloed.
    func isSilent(_ track: Int) -> Bool { silent.contains(track) }

    /// What the transport is to be told.
    func transport(sampleRate: Double) -> TransportSettings {
        TransportSettings(
            bpm: bpm, tempoRevision: tempoRevision, swing: swing, length: length, sync: sync, sampleRate: sampleRate)
    }
}
