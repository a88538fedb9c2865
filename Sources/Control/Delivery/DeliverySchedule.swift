/// When a subscriber is sent what: never more often than it asked for, never while its socket is full, and always the
/// newest, however many came before it.
///
/// It reads no clock; times are durations since any fixed origin and never go back. What is delivered is known by its
/// version: a higher one is newer.
struct DeliverySchedule: Equatable {
    /// What to do about a version.
    enum Decision: Equatable {
        case send
        /// Nothing before this moment.
        case wait(until: Duration)
        /// The subscriber has it.
        case nothing
    }

    /// The least time between two deliveries.
    let interval: Duration
    /// How long before it is due a subscriber is served along with others.
    private let earliness: Duration
    /// How late a delivery may be and still count from when it was due.
    private let lateness: Duration
    /// What the subscriber has.
    private(set) var version: Int
    /// The last delivery, as far as the rhythm goes; what was a little late counts from when it was due.
    private(set) var lastDelivery: Duration

    /// A schedule for so many deliveries per second.
    ///
    /// - Parameters:
    ///   - version: What the subscriber starts with.
    ///   - rhythm: The last delivery to others. Subscribers of equal rates fall into step with it, so that one drawing
    ///     and one encoding serve them all.
    init(rate: Int, version: Int, inRhythmWith rhythm: Duration) {
        interval = .nanoseconds(1_000_000_000 / rate)
        (earliness, lateness) = (interval / 8, interval / 4)
        self.version = version
        lastDelivery = rhythm
    }

    /// The first moment at which something may be sent.
    var due: Duration { lastDelivery + interval }

    /// What to do now, the subscriber's socket being able to take something.
    ///
    /// - Parameter alongOthers: Whether others are served now anyway. A subscriber that is due very soon is then served
    ///   with them: were each subscriber to wake the loop at a moment of its own, the wake-ups would cost more than the
    ///   messages.
    func decision(on newest: Int, at now: Duration, alongOthers: Bool = false) -> Decision {
        guard newest > version else { return .nothing }
        let start = alongOthers ? due - earliness : due
        return start <= now ? .send : .wait(until: due)
    }

    /// Notes that a version looks the same as what the subscriber has, and need not be sent.
    mutating func skipped(_ newest: Int) {
        version = newest
    }

    /// Notes that what the subscriber has is counted otherwise from now on.
    mutating func renumber(_ version: Int) {
        self.version = version
    }

    /// Notes that a version was sent.
    ///
    /// - Parameter ready: When it could have been sent at the earliest, were it not for this subscriber. A delivery
    ///   that is only a little late (a timer's jitter, a socket just freed) counts from there: it neither lets the
    ///   rate sink below what was asked for nor lets the subscriber fall out of step with the others. One that came
    ///   early, along with others, counts from when it was due: the rate does not rise.
    mutating func delivered(_ newest: Int, at now: Duration, ready: Duration) {
        version = newest
        lastDelivery = max(due, min(now, max(ready, now - lateness)))
    }
}
