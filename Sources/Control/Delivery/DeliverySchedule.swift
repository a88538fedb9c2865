/// Decides when a subscriber is sent a version: at most as often as it asked for, only while its socket has room, and
/// always the newest.
///
/// It reads no clock; times are durations since any fixed origin and never go back. Higher versions are newer.
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
    /// The last delivery; a slightly late one counts from when it was due.
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

    /// What to do now, when the subscriber's socket has room.
    ///
    /// - Parameter alongOthers: Whether others are served now anyway. A subscriber that is due very soon is then served
    ///   with them: separate wake-ups of the loop would cost more than the messages.
    func decision(on newest: Int, at now: Duration, alongOthers: Bool = false) -> Decision {
        guard newest > version else { return .nothing }
        let start = alongOthers ? due - earliness : due
        return start <= now ? .send : .wait(until: due)
    }

    /// Notes that a version equals the one that the subscriber has, and need not be sent.
    mutating func skipped(_ newest: Int) {
        version = newest
    }

    /// Changes the number of the version that the subscriber has.
    mutating func renumber(_ version: Int) {
        self.version = version
    }

    /// Notes that a version was sent.
    ///
    /// - Parameter ready: The earliest time at which it could have been sent. A delivery that is slightly late (timer
    ///   jitter, a socket that was just full) counts from that time, so that the rate does not fall below the one that
    ///   was asked for and subscribers stay in step. One that was early, along with others, counts from when it was
    ///   due, so that the rate does not rise.
    mutating func delivered(_ newest: Int, at now: Duration, ready: Duration) {
        version = newest
        lastDelivery = max(due, min(now, max(ready, now - lateness)))
    }
}
