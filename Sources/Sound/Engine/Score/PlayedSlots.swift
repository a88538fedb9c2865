import Music

/// The slots that the tracks play, read in place; valid until another score is applied, or another slot plays.
struct PlayedSlots: BitwiseCopyable {
    private let score: ScoreReader
    private let indices: PerTrack<Int32>
    /// Steps of the whole pattern.
    private let wholeLength: Int

    init(_ score: ScoreReader, _ indices: PerTrack<Int32>, wholeLength: Int) {
        (self.score, self.indices, self.wholeLength) = (score, indices, wholeLength)
    }

    subscript(track: Int) -> SlotReader { score.slot(indices[track], of: track) }

    /// Whether a note starts on a step that is played.
    func isHead(track: Int, note: Int, step: Int) -> Bool {
        let slot = self[track]
        return step < length(of: slot) && slot[note, step].isHead
    }

    /// How many sustain cells follow a head without a gap, cyclically within the length.
    func sustainCount(track: Int, note: Int, head: Int) -> Int {
        let slot = self[track]
        return slot.sustainCount(note: note, head: head, length: length(of: slot))
    }

    private func length(of slot: SlotReader) -> Int {
        let own = Int(slot.time.length)
        return own == 0 ? wholeLength : own
    }
}
