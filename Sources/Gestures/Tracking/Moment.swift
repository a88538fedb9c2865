import Grid

/// When a touch arrived and, if its client said so, when the finger did it by the client's own clock.
struct Moment: Equatable, Sendable {
    /// Durations by a client's clock are at most so much shorter or longer than between the arrivals.
    private static let trust = Duration.milliseconds(500)

    /// When it arrived.
    let arrival: Duration
    /// Whose clock said when it was, nil for nobody's.
    let client: ClientID?
    /// By that clock.
    private let time: Duration

    /// The moment of a touch, or of what happens by itself.
    init(arrival: Duration, client: ClientID? = nil, time: Duration? = nil) {
        self.arrival = arrival
        self.client = time == nil ? nil : client
        self.time = time ?? .zero
    }

    /// Whether a client's clock said when it was.
    var isTimed: Bool { client != nil }

    /// The time since an earlier moment, never negative: by the client's clock if that said when both were, else from
    /// arrival to arrival. So packets that come late make no tap a hold.
    func elapsed(since earlier: Moment) -> Duration {
        let between = arrival - earlier.arrival
        guard let client, client == earlier.client else { return max(between, .zero) }
        let own = min(max(time - earlier.time, between - Moment.trust), between + Moment.trust)
        return max(own, .zero)
    }

    /// The moment so much later.
    func advanced(by duration: Duration) -> Moment {
        Moment(arrival: arrival + duration, client: client, time: isTimed ? time + duration : nil)
    }
}

/// What a finger waits for while nothing happens.
struct Wait: Equatable, Sendable {
    /// From when on it waits.
    let start: Moment
    /// How long.
    let length: Duration
    /// Whether it ends by arrival even where the client says when its fingers do what. Everything else then waits for a
    /// word of the client from after the end: until that comes, the finger may have been lifted long ago.
    var endsByItself = false

    /// When it is over.
    var end: Moment { start.advanced(by: length) }

    /// When it is over without a word of the client, nil when it takes one.
    var deadline: Duration? { start.isTimed && !endsByItself ? nil : start.arrival + length }

    /// Whether it is over by a word of the client.
    func isOver(at word: Moment) -> Bool { word.elapsed(since: start) >= length }
}
