import Music

/// Makes the scores of a document while it is edited: slots that are as they were are not computed again.
public struct ScoreBuilder {
    private var score = Score()
    /// The slots that the score was made of; nil at first.
    private var slots = [SlotNotes?](repeating: nil, count: Slot.all.count)
    private var wholeLength = 0

    public init() {}

    /// The score of a document, without launches.
    public mutating func score(of document: Document) -> Score {
        update(document.pattern)
        score.parameters = ParameterBlock { document.number($0, $1) }
        for track in Track.allCases {
            score.launches[track.rawValue].playing = Int32(document.pattern.playing[track].index)
            score.isSilent[track.rawValue] = document.isSilent(track)
        }
        score.bindings = BoundKeys(document.bindings)
        return score
    }

    /// Computes the slots that have changed.
    private mutating func update(_ pattern: Pattern) {
        // Where motions repeat, and which sustain cells have a head, depends on it.
        let isSameLength = pattern.length == wholeLength
        wholeLength = pattern.length
        for (place, slot) in Slot.all.enumerated() {
            let notes = pattern[slot]
            if isSameLength && notes == slots[place] { continue }
            slots[place] = notes
            score.slots[place] = ScoreSlot(slot, of: pattern)
        }
    }
}
