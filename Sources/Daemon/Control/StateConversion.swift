import Engine
import Music
import Session
import Wire

// The session's state in the protocol's types.

extension InstrumentState {
    /// The state that subscribers see.
    init(_ session: isolated Session, storage: StorageState) {
        let document = session.document
        self.init(
            transport: session.transport, settings: ParameterValues(document),
            sync: session.sync,
            slots: Track.allCases.map { TrackSlots(document.pattern, session.launches, of: $0) },
            scenes: SceneLaunches(session.launches), lenses: session.lenses, isFilling: session.isFilling,
            history: HistoryCounts(document.history), kits: session.kitNames, patternName: document.pattern.name,
            audio: session.audio, storage: storage)
    }
}

extension ParameterValues {
    /// A document's settings.
    init(_ document: Document) {
        self.init()
        for parameter in Parameter.ofWhole { set(parameter, to: document[parameter]) }
        for track in Track.allCases {
            for parameter in Parameter.of(track) { set(parameter, on: track, to: document[parameter, track]) }
        }
    }
}

extension HistoryCounts {
    /// The session's counts of undo and redo steps.
    init(_ history: History) {
        self.init(undo: history.undoCount, redo: history.redoCount)
    }
}
