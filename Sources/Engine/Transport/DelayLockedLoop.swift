/// Finds when evenly spaced events really were, and how far apart, from times that jitter: a second-order delay-locked loop
/// (F. Adriaensen, "Using a DLL to filter time", LAC 2005).
///
/// At first it weighs all events alike, which fits a line through them; as these grow older it turns narrow and keeps them
/// for about two seconds' worth of clock ticks.
struct DelayLockedLoop: BitwiseCopyable {
    /// When the newest event was, as it seems.
    private(set) var time = 0.0
    /// From one event to the next.
    private(set) var period = 0.0
    /// Events that the present fit is made of, as far as that matters.
    private var count = 0.0
    private var lastTime = 0.0
    /// Events in a row that were far off to one side: positive for late ones.
    private var strays = 0

    /// The narrow loop's natural frequency in radians for each event.
    private static var bandwidth: Double {
        @_noLocks @_noAllocation get { 0.1 }
    }

    @_noLocks @_noAllocation
    init() {}

    /// Whether there is a period.
    var isRunning: Bool {
        @_noLocks @_noAllocation get { count >= 2 }
    }

    /// Whether the fit is made of so few events that it still moves much.
    var isYoung: Bool {
        @_noLocks @_noAllocation get { count < 4 }
    }

    /// Takes the next event, which may begin a new count at another time; the period stays.
    @_noLocks @_noAllocation
    mutating func takeFirst(_ now: Double, limit: Double) {
        guard isRunning && abs(now - time - period) > limit else { return take(now, limit: limit) }
        time = now
        lastTime = now
        count = min(count, 8)
        strays = 0
    }

    /// Takes the next event.
    ///
    /// - Parameter limit: How far an event that only jitters may be off. Two in a row that are farther off to one side begin
    ///   a new fit.
    @_noLocks @_noAllocation
    mutating func take(_ now: Double, limit: Double) {
        defer { lastTime = now }
        if count == 0 { return restart(at: now, period: 0, count: 1) }
        if count == 1 { return restart(at: now, period: now - lastTime, count: 2) }
        let error = now - (time + period)
        if isStray(error, limit: limit) { return restart(at: now, period: now - lastTime, count: 2) }
        let fit = count + 1
        let (position, speed) = (2 * (2 * fit - 1) / (fit * (fit + 1)), 6 / (fit * (fit + 1)))
        let narrow = DelayLockedLoop.bandwidth
        time += period + max(position, 1.414_213_562 * narrow) * error
        period += max(speed, narrow * narrow) * error
        count = min(fit, 1000)
    }

    @_noLocks @_noAllocation
    private mutating func restart(at now: Double, period: Double, count: Double) {
        time = now
        self.period = period
        self.count = count
        strays = 0
    }

    /// Whether the tempo is another one now. What is fitted to few events is not sure enough to say.
    @_noLocks @_noAllocation
    private mutating func isStray(_ error: Double, limit: Double) -> Bool {
        if abs(error) <= limit || count < 6 {
            strays = 0
        } else if error > 0 {
            strays = max(strays, 0) + 1
        } else {
            strays = min(strays, 0) - 1
        }
        return abs(strays) >= 2
    }
}
