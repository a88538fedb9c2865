import Music

/// Everything that persists, and what storage has not been handed of its changes.
final class EditedDocument {
    private(set) var document: Document
    /// Counts how often another pattern took the place of the one before, by an import, a load or a new start, or an undo of one.
    private(set) var patternRevision = 0
    /// How often the tempo was set by anybody: see ``Engine/Score/tempoRevision``.
    private(set) var tempoRevision = 0
    private var unsaved: [DocumentChange] = []

    init(_ document: Document) {
        self.document = document
    }

    /// Makes changes that somebody asked for; false when they alter nothing.
    func apply(_ changes: [DocumentChange]) -> Bool {
        let (count, tempo) = (unsaved.count, document.pattern.tempo)
        // Setting the tempo that is there counts too: a source that has just been lost may have left another one.
        let isTempoSet = changes.contains { $0.setsTempo || document.replacesPattern(by: $0) }
        make(changes)
        guard isTempoSet || document.pattern.tempo != tempo else { return unsaved.count > count }
        tempoRevision += 1
        return true
    }

    /// Makes changes; nobody has set the tempo with them.
    func make(_ changes: [DocumentChange]) {
        for change in changes {
            let isReplacement = document.replacesPattern(by: change)
            guard document.apply(change) else { continue }
            if isReplacement { patternRevision += 1 }
            unsaved.append(change)
        }
    }

    /// The changes since the last call, in order.
    func removeUnsaved() -> [DocumentChange] {
        defer { unsaved.removeAll(keepingCapacity: true) }
        return unsaved
    }
}

extension DocumentChange {
    /// Whether it says what the tempo is to be.
    var setsTempo: Bool { if case .set(.tempo, _, _) = self { true } else { false } }
}
