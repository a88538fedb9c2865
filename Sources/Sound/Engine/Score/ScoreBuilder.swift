import Music

/// Makes the scores of a document while it is edited: slots that are as they were are not computed again.
public struct ScoreBuilder {
    private var score = Score()
    /// The slots that the score was made of; nil at first.
    private var slots = [SlotNotes?](repeating: nil, count: Slot.all.count)
    private var wholeLength = 0

    public init() {}

    /// The score of a document, without launches.
    public mutating func score(of document: Document) -> Score { score(of: ScoreSource(document)) }

    /// The score of a source.
    public mutating func score(of source: ScoreSource) -> Score {
        update(source.slots, wholeLength: Int(source.parameters[.length]))
        score.parameters = source.parameters
        score.launches = source.launches
        score.isSilent = source.isSilent
        score.tempoRevision = source.tempoRevision
        score.patternRevision = source.patternRevision
        score.isFilling = source.isFilling
        score.isMidiCircular = source.isMidiCircular
        score.bindings = source.bindings
        return score
    }

    /// Computes the slots that have changed.
    private mutating func update(_ new: [SlotNotes], wholeLength: Int) {
        // Where motions repeat, and which sustain cells have a head, depends on it.
        let isSameLength = wholeLength == self.wholeLength
        self.wholeLength = wholeLength
        for (place, notes) in new.enumerated() {
            if isSameLength && notes == slots[place] { continue }
            slots[place] = notes
            score.slots[place] = ScoreSlot(notes, wholeLength: wholeLength)
        }
    }
}
