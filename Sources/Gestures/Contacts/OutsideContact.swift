import Grid

/// A finger outside the tracks, where only a double tap means something: play or stop.
struct OutsideContact: Contact {
    private let client: ClientID
    private let spot: TapSpot
    private var tracker: TouchTracker
    private var earlierTap: QuickTap?

    init(downAt place: Place, of client: ClientID, on surface: TouchSurface, in turn: inout Turn) {
        self.client = client
        spot = .outside(column: place.column, row: place.row)
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        earlierTap = turn.memory.taps.claim(spot, by: client, at: turn.now)
    }

    var wait: Wait? { tracker.wait }
    /// Whether the finger is still where it went down.
    var isResting: Bool { tracker.drag == nil }

    mutating func expire(in turn: inout Turn) { tracker.expire() }

    mutating func move(to place: Place, in turn: inout Turn) { tracker.move(to: place, at: turn.now) }

    mutating func lift(in turn: inout Turn) {
        tracker.judgeHold(at: turn.now)
        guard tracker.isTap, !tracker.isHeld else { return abandon(in: &turn) }
        guard earlierTap == nil else {
            return turn.togglePlay(showingAt: .finger(tracker.place))
        }
        turn.memory.taps.remember(
            QuickTap(client: client, spot: spot, downAt: tracker.downAt, isHalfAPair: true, revision: nil))
    }

    mutating func abandon(in turn: inout Turn) {
        if let earlierTap { turn.memory.taps.remember(earlierTap) }
    }
}
