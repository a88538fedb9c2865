import Music

/// Finds a tempo from taps on its beats.
struct TapTempo: Sendable {
    /// Intervals that the mean is taken of.
    private static let intervals = 8

    /// When the last taps came, the oldest first; one more than intervals.
    private var taps: [Moment] = []

    /// Forgets the newest tap.
    mutating func retract() { taps = taps.dropLast() }

    /// Counts a tap.
    ///
    /// - Returns: The tempo so far, clamped into what the clock plays; nil on the first tap after a pause.
    mutating func tap(at now: Moment) -> Tempo? {
        if let last = taps.last, now.elapsed(since: last) >= Threshold.tapTempoPause { taps = [] }
        taps.append(now)
        taps = taps.suffix(TapTempo.intervals + 1)
        guard taps.count > 1 else { return nil }
        let mean = now.elapsed(since: taps[0]) / Double(taps.count - 1)
        let bpm = max(Duration.seconds(60) / mean, Tempo.range.lowerBound)
        return Tempo(bpm: min(bpm, Tempo.range.upperBound))
    }
}
