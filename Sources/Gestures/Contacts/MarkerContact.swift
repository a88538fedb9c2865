import Grid

/// A finger on the step markers: a double tap plays or stops, and a finger that rests there holds FILL.
struct MarkerContact: Contact {
    private enum State {
        /// It may come to hold FILL.
        case pressed(Wait)
        /// It holds FILL; since when its client has been silent.
        case filling(silentSince: Duration)
        /// It is one like any other outside the tracks.
        case tapping
        /// It has held FILL, and has no further effect.
        case over
    }

    private var state: State
    private var outside: OutsideContact
    private let place: Place
    private let isRemote: Bool

    init(downAt place: Place, of client: ClientID, on surface: TouchSurface, in turn: inout Turn) {
        self.place = place
        isRemote = surface.isRemote
        outside = OutsideContact(downAt: place, of: client, on: surface, in: &turn)
        state = .pressed(Wait(start: turn.now, length: Threshold.fill))
    }

    /// A client on another machine that falls silent may be gone: it does not hold FILL for long.
    var wait: Wait? {
        switch state {
        case .pressed(let wait): wait
        case .filling(let start): isRemote ? Wait(start: Moment(arrival: start), length: Threshold.silence) : nil
        case .tapping: outside.wait
        case .over: nil
        }
    }

    private var hasFilled: Bool {
        switch state {
        case .filling, .over: true
        case .pressed, .tapping: false
        }
    }

    var isFilling: Bool { if case .filling = state { true } else { false } }

    mutating func hear(at now: Moment) {
        if isFilling { state = .filling(silentSince: now.arrival) }
    }

    mutating func expire(in turn: inout Turn) {
        switch state {
        case .pressed:
            state = .filling(silentSince: turn.arrival)
            outside.abandon(in: &turn)
            turn.show("FILL", at: .finger(place))
        case .filling: state = .over
        case .tapping: outside.expire(in: &turn)
        case .over: break
        }
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        if hasFilled { return }
        outside.move(to: place, in: &turn)
        if !outside.isResting { state = .tapping }
    }

    mutating func lift(in turn: inout Turn) {
        if !hasFilled { outside.lift(in: &turn) }
    }

    mutating func abandon(in turn: inout Turn) {
        if !hasFilled { outside.abandon(in: &turn) }
    }
}
