/// Anything that can happen to a ``Document``.
///
/// What is handed on to storage is what was applied here: the same changes applied to an equal document always give
/// equal documents, undo and redo included.
public enum DocumentChange: Equatable, Sendable {
    /// Write these cells as one undo step.
    case edit(Cells)
    /// Write these cells as part of the newest undo step.
    case amend(Cells)
    /// Import or load a pattern as one undo step.
    case replacePattern(Pattern)
    case undo
    case redo
    /// Take the newest edit back as if it had never been made.
    case retract

    case setTempo(Tempo)
    /// 0.5 to 0.75; others are clamped.
    case setSwing(Double)
    case setScale(Scale)
    case setRoot(PitchClass)
    /// 8 to 32; others are clamped.
    case setLength(Int)
    case setName(String)
    case setColorMode(ColorMode)
    case setGhosts(Bool)
    case setMute(Track, Bool)
    /// The soloed track, nil for none.
    case setSolo(Track?)
    /// Gain in dB, -60 to +12; others are clamped.
    case setGain(Track, Double)
    /// -1 (left) to 1 (right); others are clamped.
    case setPan(Track, Double)
}

extension Document {
    /// Makes a change.
    ///
    /// - Returns: Whether anything is different now; what changes nothing is no undo step.
    @discardableResult
    public mutating func apply(_ change: DocumentChange) -> Bool {
        switch change {
        case .edit(let cells): edit(cells)
        case .amend(let cells): history.undoCount > 0 && amendNewestEdit(cells)
        case .replacePattern(let pattern): replacePattern(pattern)
        case .undo: undo()
        case .redo: redo()
        case .retract: retractNewestEdit()
        default: applySetting(change)
        }
    }

    private mutating func applySetting(_ change: DocumentChange) -> Bool {
        switch change {
        case .setTempo(let tempo): return altering(\.pattern.tempo) { $0.setTempo(tempo) }
        case .setSwing(let swing): return altering(\.pattern.swing) { $0.setSwing(swing) }
        case .setScale(let scale): return altering(\.pattern.key) { $0.setScale(scale) }
        case .setRoot(let root): return altering(\.pattern.key) { $0.setRoot(root) }
        case .setLength(let length): return altering(\.pattern.length) { $0.setLength(length) }
        case .setName(let name): return altering(\.pattern.name) { $0.setName(name) }
        case .setColorMode(let mode): return altering(\.colorMode) { $0.colorMode = mode }
        case .setGhosts(let isOn): return altering(\.showsGhosts) { $0.showsGhosts = isOn }
        case .setMute(let track, let isMuted): return altering(\.mix) { $0.mix[track].isMuted = isMuted }
        case .setSolo(let track): return altering(\.mix) { $0.mix.solo = track }
        case .setGain(let track, let gain):
            return altering(\.mix) { $0.mix[track].gain = gain.clamped(to: TrackMix.gains) }
        case .setPan(let track, let pan):
            return altering(\.mix) { $0.mix[track].pan = pan.clamped(to: TrackMix.pans) }
        default: preconditionFailure("\(change) is no setting")
        }
    }

    /// Makes a change and tells whether it altered the part of the document that it is about.
    private mutating func altering<Part: Equatable>(
        _ part: KeyPath<Document, Part>, _ change: (inout Document) -> Void
    ) -> Bool {
        let before = self[keyPath: part]
        change(&self)
        return self[keyPath: part] != before
    }
}
