/// Finds a tempo from taps in its rhythm, one tap a beat.
public struct TapTempo: Sendable {
    /// Intervals that are averaged.
    public static let intervalCount = 8
    /// A longer pause starts a new count.
    public static let pause: Duration = .seconds(3)

    private var taps: [Duration] = []

    /// A count that no tap has begun.
    public init() {}

    /// Takes a tap.
    ///
    /// - Returns: The mean tempo of the last intervals, clamped to 20...300 BPM; nil at the first tap of a count.
    public mutating func tap(at now: Duration) -> Tempo? {
        if let last = taps.last, now - last >= Self.pause { taps = [] }
        taps.append(now)
        if taps.count > Self.intervalCount + 1 { taps.removeFirst() }
        guard taps.count > 1 else { return nil }
        let interval = (now - taps[0]) / (taps.count - 1)
        let bpm = interval > .zero ? Duration.seconds(60) / interval : .infinity
        return Tempo(bpm: min(max(bpm, Tempo.range.lowerBound), Tempo.range.upperBound))
    }
}
