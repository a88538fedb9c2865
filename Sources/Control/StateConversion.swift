import Music
import Session
import Wire

// What the session knows, as the protocol says it.

extension InstrumentState {
    /// The state that subscribers see.
    init(_ session: isolated Session, storage: StorageState) {
        let document = session.document
        self.init(
            transport: TransportState(session), settings: ParameterValues(document),
            sync: SyncState(session.sync, holder: session.timelineHolder),
            slots: Track.allCases.map { TrackSlots(document.pattern, session.launches, of: $0) },
            scenes: SceneLaunches(session.launches),
            history: HistoryCounts(document.history), kits: session.kitNames, patternName: document.pattern.name,
            audio: AudioState(session.audio), storage: storage)
    }
}

extension ParameterValues {
    /// What a document is set to.
    init(_ document: Document) {
        self.init()
        for parameter in Parameter.ofWhole { set(parameter, to: document[parameter]) }
        for track in Track.allCases {
            for parameter in Parameter.of(track) { set(parameter, on: track, to: document[parameter, track]) }
        }
    }
}

extension TransportState {
    /// Whether the session's clock runs, where it is, and whether it records.
    init(_ session: isolated Session) {
        let status: Status =
            switch session.transport.state {
            case .stopped: .stopped
            case .playing: .playing
            case .paused: .paused
            }
        self.init(state: status, step: session.transport.step, record: session.isRecording)
    }
}

extension SyncState {
    /// What the session's clock follows and leads.
    init(_ sync: SyncStatus, holder: String?) {
        self.init(
            following: sync.following ?? .own, leading: sync.leading, bpm: sync.bpm, locked: sync.isLocked,
            holder: holder)
    }
}

extension SyncRequest {
    /// What players ask of the holder of the timeline.
    init(_ request: TimelineRequest) {
        switch request {
        case .tempo(let bpm): self = .tempo(bpm)
        case .play: self = .play
        case .stop: self = .stop
        }
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

extension MidiStatistics {
    /// What the session's engine counted.
    init(_ figures: MidiFigures) {
        self.init(delayed: figures.delayed, skipped: figures.skipped, echoes: figures.echoes)
    }
}

extension MidiNews {
    /// A message that came in at the MIDI input.
    init(_ message: ArrivedMessage) {
        self.init(
            Arrival(
                port: "midi_in", frame: Int(message.frame), usecs: Int(clamping: message.usecs),
                bytes: message.bytes.map(Int.init)))
    }
}
