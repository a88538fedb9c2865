import Synchronization

/// Lets reports of progress through at most five times a second.
struct ProgressPace {
    /// The time between two reports.
    static let interval = Duration.milliseconds(200)

    private var next: Duration?

    /// Whether a report at this time goes through.
    mutating func lets(through now: Duration) -> Bool {
        if let next, now < next { return false }
        next = now + Self.interval
        return true
    }
}

/// Passes reports of progress on at that pace, from any thread.
final class PacedProgress: Sendable {
    private let pace = Mutex(ProgressPace())
    private let report: @Sendable (Double) -> Void

    init(_ report: @escaping @Sendable (Double) -> Void) { self.report = report }

    func callAsFunction(_ share: Double) {
        let now = ControlClock.now
        if pace.withLock({ $0.lets(through: now) }) { report(share) }
    }
}
