/// Estimates the true times of evenly spaced events, and their interval, from times that jitter: a second-order
/// delay-locked loop (F. Adriaensen, "Using a DLL to filter time", LAC 2005).
///
/// At first it weighs all events alike, which fits a line through them; then its bandwidth narrows, until it averages
/// about two seconds of clock ticks. Where events deviate to one side by more than they jitter, the tempo is changing,
/// and the bandwidth is wide until it settles.
struct DelayLockedLoop: BitwiseCopyable {
    /// The estimated time of the newest event.
    private(set) var time = 0.0
    /// The estimated interval between events.
    private(set) var period = 0.0
    /// How far an event may be off and still count as jitter, however little events have jittered so far.
    private let slack: Double
    /// The number of events in the current fit, limited to where it no longer matters.
    private var count = 0.0
    private var lastTime = 0.0
    private var lastError = 0.0
    /// Events in a row that were far off to one side: positive for late ones.
    private var strays = 0
    /// How far events are off on average, the newest counting most: positive for late ones.
    private var bias = 0.0
    /// How much events jitter: the mean difference between the errors of consecutive events, over ``errorCount`` of
    /// them.
    private var jitter = 0.0
    private var errorCount = 0.0
    /// The loop's natural frequency in radians for each event.
    private var bandwidth = DelayLockedLoop.narrow

    private static var narrow: Double { 0.08 }

    private static var wide: Double { 0.6 }

    /// - Parameter slack: How far an event may be off and still count as jitter, however little events have jittered so far.
    init(slack: Double) { self.slack = slack }

    /// Whether the period is known.
    var isRunning: Bool { count >= 2 }

    /// Whether the estimate is still uncertain: there are few events, or the tempo is changing.
    var isMoving: Bool { count < 4 || bandwidth > 1.5 * DelayLockedLoop.narrow }

    /// How far an event may be off at the moment and still count as jitter.
    var limit: Double { max(slack, max(period * 0.08, 3 * jitter)) }

    /// Counts events that were due by this time but could not be read as if they had been on time.
    ///
    /// - Returns: How many there were.
    mutating func skip(until now: Double) -> Int64 {
        guard isRunning && period >= 1 && now >= time + period else { return 0 }
        let count = floor((now - time) / period)
        time += Double(count) * period
        lastTime = time
        return count
    }

    /// Reads the next event, which may restart the count at an unexpected time; the period stays.
    mutating func begin(_ now: Double) {
        guard isRunning && abs(now - time - period) > limit else { return update(now) }
        time = now
        lastTime = now
        count = min(count, 8)
        strays = 0
    }

    /// Reads the next event. One that is off by almost half a period, or two in a row that are off to one side by more than
    /// events jitter, begin a new fit.
    mutating func update(_ now: Double) {
        defer { lastTime = now }
        if count == 0 { return restart(at: now, period: 0, count: 1) }
        if count == 1 { return restart(at: now, period: now - lastTime, count: 2) }
        let error = now - (time + period)
        if abs(error) > max(limit, 0.4 * period) || isStray(error) {
            return restart(at: now, period: now - lastTime, count: 2)
        }
        measure(error)
        let fit = count + 1
        let (position, speed) = (2 * (2 * fit - 1) / (fit * (fit + 1)), 6 / (fit * (fit + 1)))
        time += period + max(position, 1.414_213_562 * bandwidth) * error
        period += max(speed, bandwidth * bandwidth) * error
        count = min(fit, 1000)
    }

    /// Begins anew with an event, and an interval that is known from elsewhere.
    mutating func restart(at now: Double, period: Double) {
        restart(at: now, period: period, count: 2)
        lastTime = now
    }

    private mutating func restart(at now: Double, period: Double, count: Double) {
        time = now
        self.period = period
        self.count = count
        strays = 0
        (bias, lastError) = (0, 0)
        bandwidth = DelayLockedLoop.narrow
    }

    /// Sets the bandwidth by how far events are off to one side, and how much they jitter.
    private mutating func measure(_ error: Double) {
        errorCount = min(errorCount + 1, 31)
        let difference = min(abs(error - lastError), 2 * limit)
        lastError = error
        jitter += (difference - jitter) / (errorCount + 1)
        bias += 0.25 * (error - bias)
        let chance = 0.7 * jitter + slack / 70
        bandwidth = DelayLockedLoop.narrow * max(1, abs(bias) / chance)
        bandwidth = min(bandwidth, DelayLockedLoop.wide)
    }

    /// Whether the tempo has changed. A fit to few events of unknown jitter is too uncertain to decide.
    private mutating func isStray(_ error: Double) -> Bool {
        if abs(error) <= limit || count < 6 && errorCount < 24 {
            strays = 0
        } else if error > 0 {
            strays = max(strays, 0) + 1
        } else {
            strays = min(strays, 0) - 1
        }
        return abs(strays) >= 2
    }
}
