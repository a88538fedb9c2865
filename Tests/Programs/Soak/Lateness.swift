/// Late periods, compared with what the bare client measured of the machine in the same second.
///
/// To the server, a callback that is stalled by the machine looks like a slow one. The bare client does nothing; if it, or
/// a thread on one of the processors, was woken late by more than half a period, the machine was stalled.
struct Lateness {
    /// A period's length in µs.
    let period: Double
    private var judged = HeardXruns.Counts()
    /// The last second. It is judged when the next one is known: a stall may be reported after its effects.
    private var last = Second()
    private var wasStalledBefore = false

    private struct Second {
        var xruns = HeardXruns.Counts()
        var isStalled = false
    }

    /// - Parameter period: A period's length in µs.
    init(period: Double) {
        self.period = period
    }

    /// All late periods so far.
    var counts: HeardXruns.Counts {
        var counts = judged
        counts += last.xruns
        return counts
    }

    /// Adds a second.
    ///
    /// - Parameters:
    ///   - xruns: What the server's log reported in it.
    ///   - worstWake: The longest delay of a wake-up in it, in µs.
    mutating func add(_ xruns: HeardXruns.Counts, worstWake: Int) {
        let second = Second(xruns: xruns, isStalled: Double(worstWake) > period / 2)
        if wasStalledBefore || last.isStalled || second.isStalled {
            last.xruns.stalled += last.xruns.running
            last.xruns.running = 0
        }
        judged += last.xruns
        (wasStalledBefore, last) = (last.isStalled, second)
    }

    /// Judges the last second, which nothing follows.
    mutating func end() {
        add(HeardXruns.Counts(), worstWake: 0)
    }
}
