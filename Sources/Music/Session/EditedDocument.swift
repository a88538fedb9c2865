import Music

/// Everything that persists, and the changes to it that storage has not received yet.
final class EditedDocument {
    private(set) var document: Document
    /// Counts replacements of the whole pattern: by an import, a load or a new start, or by undoing one.
    private(set) var patternRevision = 0
    /// How often the tempo was set: see ``Engine/Score/tempoRevision``.
    private(set) var tempoRevision = 0
    private var unsaved: [DocumentChange] = []

    init(_ document: Document) {
        self.document = document
    }

    /// Begins with a stored document, as at the start.
    func begin(with document: Document) {
        self.document = document
        patternRevision += 1
        tempoRevision += 1
        unsaved.removeAll()
    }

    /// Applies requested changes; false when they change nothing.
    func apply(_ changes: [DocumentChange]) -> Bool {
        let (count, tempo) = (unsaved.count, document.pattern.bpm)
        // Setting the same tempo again counts too: a source that was just lost may have left another.
        let isTempoSet = changes.contains { $0.setsTempo || document.replacesPattern(by: $0) }
        make(changes)
        guard isTempoSet || document.pattern.bpm != tempo else { return unsaved.count > count }
        tempoRevision += 1
        return true
    }

    /// Applies changes that do not count as setting the tempo.
    func make(_ changes: [DocumentChange]) {
        for change in changes {
            // Even an equal pattern counts: any load ends queue and chains.
            if document.replacesPattern(by: change) { patternRevision += 1 }
            guard !replacesOnlyDates(change), document.apply(change) else { continue }
            unsaved.append(change)
        }
    }

    /// Whether a change replaces the pattern with one that differs in its dates alone, such as the one just saved.
    private func replacesOnlyDates(_ change: DocumentChange) -> Bool {
        guard case .replacePattern(var new) = change else { return false }
        (new.created, new.modified) = (document.pattern.created, document.pattern.modified)
        return new.settled() == document.pattern.settled()
    }

    /// The changes since the last call, in order.
    func removeUnsaved() -> [DocumentChange] {
        defer { unsaved.removeAll(keepingCapacity: true) }
        return unsaved
    }
}

extension DocumentChange {
    var setsTempo: Bool { if case .set(.tempo, _, _) = self { true } else { false } }
}
