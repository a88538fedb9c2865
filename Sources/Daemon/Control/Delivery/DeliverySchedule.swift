/// Decides when to send a subscriber a version: at most at its rate, only while its socket has room, and always the
/// newest.
///
/// It reads no clock; times count from any fixed origin and never decrease. Higher versions are newer.
struct DeliverySchedule: Equatable {
    enum Decision: Equatable {
        case send
        /// Send nothing before this time.
        case wait(until: Duration)
        /// The subscriber has the version.
        case nothing
    }

    /// The least time between two deliveries.
    let interval: Duration
    /// How early a subscriber may be served along with others.
    private let earliness: Duration
    /// How late a delivery may be to count from its due time.
    private let lateness: Duration
    /// The version that the subscriber has.
    private(set) var version: Int
    /// The last delivery; a slightly late one counts from its due time.
    private(set) var lastDelivery: Duration

    /// A schedule for a number of deliveries per second.
    ///
    /// - Parameters:
    ///   - version: The version that the subscriber starts with.
    ///   - rhythm: The last delivery to others. Subscribers with equal rates fall into step with it, so that one
    ///     drawing and one encoding serve them all.
    init(rate: Int, version: Int, inRhythmWith rhythm: Duration) {
        interval = .nanoseconds(1_000_000_000 / rate)
        (earliness, lateness) = (interval / 8, interval / 4)
        self.version = version
        lastDelivery = rhythm
    }

    /// The earliest time of the next delivery.
    var due: Duration { lastDelivery + interval }

    /// What to do now, when the subscriber's socket has room.
    ///
    /// - Parameter alongOthers: Whether others are served now anyway. A subscriber that is due very soon is then served
    ///   too: separate wake-ups of the loop would cost more than the messages.
    func decision(on newest: Int, at now: Duration, alongOthers: Bool = false) -> Decision {
        guard newest > version else { return .nothing }
        let start = alongOthers ? due - earliness : due
        return start <= now ? .send : .wait(until: due)
    }

    /// Sets the number of the version that the subscriber has, such as that of one that looks the same and need not be
    /// sent.
    mutating func renumber(_ version: Int) {
        self.version = version
    }

    /// Notes that a version was sent.
    ///
    /// - Parameter ready: The earliest time at which it could have been sent. A slightly late delivery (timer jitter, a
    ///   socket that was just full) counts from that time, so that the rate does not fall below the requested one and
    ///   subscribers stay in step. An early one, along with others, counts from its due time, so that the rate does not
    ///   rise.
    mutating func delivered(_ newest: Int, at now: Duration, ready: Duration) {
        version = newest
        lastDelivery = max(due, min(now, max(ready, now - lateness)))
    }
}
