/// Anything that can happen to a ``Document``.
///
/// What is handed on to storage is what was applied here: the same changes applied to an equal document always give
/// equal documents, undo and redo included.
public enum DocumentChange: Equatable, Sendable {
    /// Write these cells as one undo step.
    case edit(Cells)
    /// Write these cells as part of the newest undo step.
    case amend(Cells)
    /// Write the notes of slots, at most one of each track, as one undo step.
    case editSlots([Slot: TrackCells])
    /// Play these slots in place of those that their tracks play.
    case launch([Slot])
    /// Import or load a pattern as one undo step.
    case replacePattern(Pattern)
    case undo
    case redo
    /// Take the newest edit back as if it had never been made.
    case retract
    /// Name the pattern.
    case setName(String)
    /// Let something of the MIDI input move something.
    case bind(MidiBinding)
    /// Let something of the MIDI input move nothing any more.
    case unbind(MidiTrigger)
    /// Set a parameter of a track, or of the whole: to the nearest value that it may have.
    case set(Parameter, on: Track? = nil, to: ParameterValue)
}

extension Document {
    /// Whether a change, if it alters anything, makes another pattern of this one: an import or a load, or the undo or redo
    /// of one.
    public func replacesPattern(by change: DocumentChange) -> Bool {
        switch change {
        case .replacePattern: true
        case .undo, .retract: history.undoable.last?.before.settings != nil
        case .redo: history.redoable.last?.after.settings != nil
        default: false
        }
    }

    /// Makes a change.
    ///
    /// - Returns: Whether anything is different now; what changes nothing is no undo step.
    @discardableResult
    public mutating func apply(_ change: DocumentChange) -> Bool {
        switch change {
        case .edit(let cells): edit(cells)
        case .editSlots(let slots): edit(slots)
        case .launch(let slots): launch(slots)
        case .amend(let cells): history.undoCount > 0 && amendNewestEdit(cells)
        case .replacePattern(let pattern): replacePattern(pattern)
        case .undo: undo()
        case .redo: redo()
        case .retract: retractNewestEdit()
        case .setName(let name): setName(name)
        case .bind(let binding): bindings.bind(binding)
        case .unbind(let trigger): bindings.unbind(trigger)
        case .set(let parameter, let track, let value): set(parameter, on: track, to: value)
        }
    }
}
