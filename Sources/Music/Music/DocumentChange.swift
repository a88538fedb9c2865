/// Anything that can happen to a ``Document``.
///
/// Changes are deterministic, including undo and redo: applied to equal documents, by storage for example, they give
/// equal documents.
public enum DocumentChange: Equatable, Sendable {
    /// Write the notes of slots, at most one of each track, as one undo step.
    case edit([Slot: SlotNotes])
    /// Play these slots in place of their tracks' current ones.
    case launch([Slot])
    /// Import or load a pattern as one undo step.
    case replacePattern(Pattern)
    /// Begin with an empty pattern, and the mixer of a new instrument, as one undo step.
    case startNew
    case undo
    case redo
    /// Retract the newest edit as if it had never been made, and restore the redo side that it dropped; nothing when
    /// something else happened since.
    case retract
    case setName(String)
    case bind(MidiBinding)
    case unbind(MidiTrigger)
    /// Set a parameter of a track, or of the whole: to the nearest value that it may have.
    case set(Parameter, on: Track? = nil, to: ParameterValue)
    /// The same as an undo step; or, if it continues what the same hand has just done, as part of the parameter's newest
    /// step.
    case adjust(Parameter, on: Track? = nil, to: ParameterValue, continues: Bool = false)
}

extension DocumentChange {
    /// Empties the slots that play, hidden steps too.
    public static func clear(_ pattern: Pattern) -> DocumentChange {
        .edit(Dictionary(uniqueKeysWithValues: pattern.playing.all.map { ($0, SlotNotes()) }))
    }

    /// Puts the notes that play in a pattern into a scene, 0 to 7.
    public static func load(_ pattern: Pattern, intoScene index: Int) -> DocumentChange {
        .edit(Dictionary(uniqueKeysWithValues: Slot.scene(index).map { ($0, pattern[$0.track]) }))
    }

    /// Copies the notes of a slot or scene, as they are in a pattern, into another.
    public static func copy(_ bank: SlotBank, from: Int, to: Int, in pattern: Pattern) -> DocumentChange {
        .edit(Dictionary(uniqueKeysWithValues: zip(bank.slots(to), bank.slots(from)).map { ($0, pattern[$1]) }))
    }
}

extension Document {
    /// Whether a change replaces the whole pattern: an import, a load or a new start, or the undo or redo of one.
    public func replacesPattern(by change: DocumentChange) -> Bool {
        switch change {
        case .replacePattern, .startNew: true
        case .undo, .retract: history.undoable.last?.replacesPattern == true
        case .redo: history.redoable.last?.replacesPattern == true
        default: false
        }
    }
}
