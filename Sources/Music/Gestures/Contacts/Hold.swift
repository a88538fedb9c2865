/// What a finger holds by resting: it begins after a while, lasts until the finger is lifted, and makes it no tap.
struct Hold: Sendable {
    private enum Stage {
        /// It begins if the finger rests this long.
        case awaited(Wait)
        /// It is held; the client has been silent since this time.
        case held(silentSince: Duration)
        /// It has ended before the finger was lifted, which has no further effect.
        case over
    }

    private var stage: Stage
    /// How long the client may be silent before it ends, nil for ever.
    private let patience: Duration?

    /// A hold of a finger that goes down now.
    init(at now: TouchMoment, patience: Duration?) {
        stage = .awaited(Wait(start: now, length: Threshold.rest))
        self.patience = patience
    }

    var isAwaited: Bool { if case .awaited = stage { true } else { false } }
    var isHeld: Bool { if case .held = stage { true } else { false } }

    /// A client that falls silent may be gone.
    var wait: Wait? {
        switch stage {
        case .awaited(let wait): wait
        case .held(let start): patience.map { Wait(start: TouchMoment(arrival: start), length: $0) }
        case .over: nil
        }
    }

    mutating func messageArrived(at now: TouchMoment) {
        if isHeld { stage = .held(silentSince: now.arrival) }
    }

    mutating func begin(at now: Duration) { stage = .held(silentSince: now) }

    mutating func end() { stage = .over }
}
