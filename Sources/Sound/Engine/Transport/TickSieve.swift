/// Tells the ticks of a second MIDI clock from those of the first, where a clock is connected twice: its ticks then come in
/// pairs, a short interval after a long one, again and again. One tick of each pair counts.
///
/// The ticks of one clock may jitter, but their intervals do not repeat in pairs. Pairs that are further apart than a third
/// of a tick cannot be told from a faster clock that swings.
struct TickSieve: BitwiseCopyable {
    /// How many pairs in a row show that there are two clocks, and how many ticks without a pair that there is one again.
    private static var evidence: Int { 4 }

    /// The last tick's frame, and the frames from the one before to it.
    private var last: Int64 = 0
    private var interval: Int64 = 0
    /// Pairs in a row that are alike; the last one's length, from one first tick to the next, and the shorter part of it.
    private var pairs = 0
    private var pairLength: Int64 = 0
    private var shortInterval: Int64 = 0
    /// Ticks in a row that are the second of no pair.
    private var singles = 0
    /// Whether ticks come from two clocks.
    private(set) var hasTwoClocks = false

    /// What a tick says.
    enum Verdict: BitwiseCopyable {
        case tick
        /// Of another clock.
        case foreign
        /// Of another clock, and so was one in each of the pairs before, which had the length of a tick.
        case foundPairs(count: Int64, length: Int64)
    }

    /// Reads a tick.
    mutating func judge(tickAt frame: Int64) -> Verdict {
        let gap = frame - last
        let isSecond = 2 * gap < interval
        let length = gap + interval
        (interval, last) = (gap, frame)
        guard isSecond else {
            singles += 1
            if singles > Self.evidence { (pairs, hasTwoClocks) = (0, false) }
            return .tick
        }
        // From one pair to the next there is one first tick.
        pairs = singles == 1 && isLike(gap, length) ? pairs + 1 : 1
        (singles, pairLength, shortInterval) = (0, length, gap)
        if hasTwoClocks { return .foreign }
        guard pairs >= Self.evidence else { return .tick }
        hasTwoClocks = true
        return .foundPairs(count: Int64(pairs), length: length)
    }

    /// Whether a pair is like the one before; an eighth may be jitter.
    private func isLike(_ gap: Int64, _ length: Int64) -> Bool {
        8 * abs(length - pairLength) < pairLength && 8 * abs(gap - shortInterval) < pairLength
    }
}
