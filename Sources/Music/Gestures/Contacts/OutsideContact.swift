import Grid

/// A finger outside the tracks: a double tap plays or stops. One that rests on the step markers holds FILL, and does
/// not tap.
struct OutsideContact: Contact {
    private enum Fill {
        /// The finger holds it if it rests this long.
        case awaited(Wait)
        /// The finger holds it; its client has been silent since this time.
        case held(silentSince: Duration)
        /// The finger has held it, and has no further effect.
        case over
    }

    private let client: ClientID
    private let isRemote: Bool
    private let spot: TapSpot
    private var tracker: TouchTracker
    private var earlierTap: QuickTap?
    /// Nil for a finger that cannot hold FILL.
    private var fill: Fill?

    init(downAt place: Place, of client: ClientID, on surface: TouchSurface, in turn: inout Turn) {
        self.client = client
        isRemote = surface.isRemote
        spot = .outside(column: place.column, row: place.row)
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        earlierTap = turn.memory.taps.claim(spot, by: client, at: turn.now)
        guard place.row == Layout.markerRow, Layout.markerColumns.contains(place.column) else { return }
        fill = .awaited(Wait(start: turn.now, length: Threshold.fill))
    }

    /// A client on another machine that falls silent may be gone: it does not hold FILL for long.
    var wait: Wait? {
        switch fill {
        case .awaited(let wait): wait
        case .held(let start): isRemote ? Wait(start: TouchMoment(arrival: start), length: Threshold.silence) : nil
        case .over: nil
        case nil: tracker.wait
        }
    }

    var isFilling: Bool { if case .held = fill { true } else { false } }

    mutating func messageArrived(at now: TouchMoment) {
        if isFilling { fill = .held(silentSince: now.arrival) }
    }

    mutating func expire(in turn: inout Turn) {
        switch fill {
        case .awaited:
            fill = .held(silentSince: turn.arrival)
            abandon(in: &turn)
            turn.show("FILL", at: .finger(tracker.start))
        case .held: fill = .over
        case .over: break
        case nil: tracker.expire()
        }
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        tracker.move(to: place, at: turn.now)
        if case .awaited = fill, tracker.drag != nil { fill = nil }
    }

    mutating func lift(in turn: inout Turn) {
        switch fill {
        case .held, .over: return
        case .awaited, nil: break
        }
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
        earlierTap = nil
    }
}
