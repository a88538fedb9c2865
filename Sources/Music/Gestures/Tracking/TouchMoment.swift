import Grid

/// When a touch arrived and, if its client reported it, when it happened by the client's own clock.
struct TouchMoment: Equatable, Sendable {
    /// How much durations by a client's clock may differ from those between arrivals.
    private static let trust = Duration.milliseconds(500)

    /// When it arrived.
    let arrival: Duration
    /// The client whose clock timed it, nil for none.
    let client: ClientID?
    /// The time by that clock.
    private let time: Duration

    init(arrival: Duration, client: ClientID? = nil, time: Duration? = nil) {
        self.arrival = arrival
        self.client = time == nil ? nil : client
        self.time = time ?? .zero
    }

    /// Whether a client's clock timed it.
    var isTimed: Bool { client != nil }

    /// The time since an earlier moment, never negative: by the client's clock if it timed both moments, else between
    /// the arrivals. A late packet thus does not turn a tap into a hold.
    func elapsed(since earlier: TouchMoment) -> Duration {
        let between = arrival - earlier.arrival
        guard let client, client == earlier.client else { return max(between, .zero) }
        let own = min(max(time - earlier.time, between - TouchMoment.trust), between + TouchMoment.trust)
        return max(own, .zero)
    }

    func advanced(by duration: Duration) -> TouchMoment {
        TouchMoment(arrival: arrival + duration, client: client, time: isTimed ? time + duration : nil)
    }
}

/// A finger's wait for a timeout.
struct Wait: Equatable, Sendable {
    let start: TouchMoment
    let length: Duration
    /// Whether it ends by arrival even when the client's clock times touches. Other waits then end only with a message
    /// that the client sent after the end: until it arrives, the finger may have been lifted long ago.
    var endsByItself = false

    /// When it is over.
    var end: TouchMoment { start.advanced(by: length) }

    /// When it ends without a message from the client, nil when it needs one.
    var deadline: Duration? { start.isTimed && !endsByItself ? nil : start.arrival + length }

    /// Whether it is over according to a message from the client.
    func isOver(at word: TouchMoment) -> Bool { word.elapsed(since: start) >= length }
}
