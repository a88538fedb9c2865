import Music

/// Hands the newest score from the control thread to the process callback, which reads it in place.
struct ScoreExchange: ~Copyable {
    private let scores: TripleBuffer<RtScore>
    /// The slots of the triple buffer's three scores, one score after the other.
    private let slots: FixedArray<ScoreSlot>
    private let layout = ScoreLayout()

    init(_ score: Score) {
        scores = TripleBuffer(RtScore(score))
        slots = FixedArray(count: 3 * score.slots.count) { score.slots[$0 % score.slots.count] }
    }

    // MARK: On the control thread

    /// Publishes a score.
    ///
    /// - Returns: Its number.
    func publish(_ score: Score) -> UInt {
        let first = scores.draftIndex * score.slots.count
        for (place, slot) in score.slots.enumerated() { slots[first + place] = slot }
        scores.publish(RtScore(score))
        return scores.newestNumber
    }

    // MARK: On the audio thread

    /// Whether the newest score is unread.
    var hasNews: Bool { scores.hasNews }

    /// The number of ``current``.
    var number: UInt { scores.number }

    /// The newest score if it is unread; it stays valid until the next call that returns one.
    func fetchNewest() -> ScoreReader? { unsafe scores.fetchNewest() == nil ? nil : current }

    /// The score that was read last, at first the one that the exchange was made with.
    var current: ScoreReader {
        let first = scores.currentIndex * trackCount * slotCount
        return unsafe ScoreReader(scores.current, slots: slots.elements + first, layout)
    }
}
