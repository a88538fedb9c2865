/// Late periods, held against what the bare client says of the machine in the same second.
///
/// A callback that stands still because the machine does looks to the server like one that is slow. The bare client does
/// nothing; when it was woken later than a whole period, the machine stood still.
struct Lateness {
    /// A period's length in µs.
    let period: Double
    private var judged = XrunLog.Counts()
    /// The last second. It is judged when the next one is known: a stall may be reported after what it did.
    private var last = Second()
    private var wasStalledBefore = false

    private struct Second {
        var xruns = XrunLog.Counts()
        var isStalled = false
    }

    /// - Parameter period: A period's length in µs.
    init(period: Double) {
        self.period = period
    }

    /// All late periods so far.
    var counts: XrunLog.Counts {
        var counts = judged
        counts += last.xruns
        return counts
    }

    /// Adds a second.
    ///
    /// - Parameters:
    ///   - xruns: What the server's log said in it.
    ///   - worstWake: The longest delay of a wake-up of the bare client in it, in µs.
    mutating func add(_ xruns: XrunLog.Counts, worstWake: Int) {
        let second = Second(xruns: xruns, isStalled: Double(worstWake) > period)
        if wasStalledBefore || last.isStalled || second.isStalled {
            last.xruns.stalled += last.xruns.running
            last.xruns.running = 0
        }
        judged += last.xruns
        (wasStalledBefore, last) = (last.isStalled, second)
    }

    /// Judges the last second, after which nothing comes.
    mutating func end() {
        add(XrunLog.Counts(), worstWake: 0)
    }
}
