import Engine
import Music
import Session
import Wire

// What the session knows, as the protocol says it.

extension InstrumentState {
    /// The state that subscribers see.
    init(_ session: isolated Session, storage: StorageState) {
        let document = session.document
        self.init(
            transport: session.transport, settings: ParameterValues(document),
            sync: SyncState(session.sync, session.timelineStanding),
            slots: Track.allCases.map { TrackSlots(document.pattern, session.launches, of: $0) },
            scenes: SceneLaunches(session.launches), lenses: session.lenses, isFilling: session.isFilling,
            history: HistoryCounts(document.history), kits: session.kitNames, patternName: document.pattern.name,
            audio: AudioState(session.audio, of: session.driver), storage: storage)
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

extension SyncState {
    /// What the session's clock follows and leads.
    init(_ sync: SyncStatus, _ timeline: TimelineStanding?) {
        self.init(
            following: sync.following ?? .own, leading: sync.leading, bpm: sync.bpm, locked: sync.isLocked,
            holder: timeline?.holder, holderBpm: timeline?.bpm, peers: timeline?.peers)
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
    init(_ audio: AudioStatus, of driver: AudioDriver) {
        self.init(
            driver: driver, status: audio.state, reason: audio.reason, rate: audio.sampleRate,
            period: audio.period)
    }
}

extension MidiStatistics {
    /// What the session's engine counted.
    init(_ counts: MidiCounts) {
        self.init(
            delayed: Int(clamping: counts.delayed), skipped: Int(clamping: counts.skipped),
            echoes: Int(clamping: counts.echoes))
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
