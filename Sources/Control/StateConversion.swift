import Music
import Session
import Wire

// What the session knows, as the protocol says it.

extension InstrumentState {
    /// The state that subscribers see.
    init(_ session: isolated Session, storage: StorageState) {
        self.init()
        let document = session.document
        let pattern = document.pattern
        transport = TransportState(session.transport)
        bpm = pattern.tempo.bpm
        swing = pattern.swing
        scale = pattern.key.scale
        root = pattern.key.root
        length = pattern.length
        colors = document.colorMode
        showsGhosts = document.showsGhosts
        for track in Track.allCases { tracks[track] = TrackState(document.mix, of: track) }
        history = HistoryCounts(document.history)
        patternName = pattern.name
        audio = AudioState(session.audio)
        self.storage = storage
    }
}

extension TransportState {
    /// Whether the session's clock runs, and where it is.
    init(_ transport: TransportStatus) {
        let status: Status =
            switch transport.state {
            case .stopped: .stopped
            case .playing: .playing
            case .paused: .paused
            }
        self.init(state: status, step: transport.step)
    }
}

extension TrackState {
    /// What the session's mixer does to a track.
    init(_ mix: Mix, of track: Track) {
        let settings = mix[track]
        self.init(mute: settings.isMuted, solo: mix.solo == track, gain: settings.gain, pan: settings.pan)
    }
}

extension HistoryCounts {
    /// What the session can undo and redo.
    init(_ history: History) {
        self.init(undo: history.undoCount, redo: history.redoCount)
    }
}

extension AudioState {
    /// What the session's audio driver is doing.
    init(_ audio: AudioStatus) {
        let status: Status =
            switch audio.state {
            case .running: .running
            case .noServer: .noServer
            case .lost: .lost
            case .off: .off
            }
        self.init(status: status, reason: audio.reason, rate: audio.sampleRate, period: audio.period)
    }
}
