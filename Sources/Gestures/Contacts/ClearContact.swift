import Grid

/// A finger on clear all: only a hold clears, so that nobody's thumb wipes a set; a tap says so.
struct ClearContact: HeldContact {
    private let client: ClientID
    var hold: Hold

    init(downAt place: Place, of client: ClientID, at now: Moment) {
        self.client = client
        hold = Hold(at: place, since: now, for: Threshold.clear)
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        turn.clear(showingAt: .control, shaking: client)
    }

    mutating func lift(in turn: inout Turn) {
        if hold.wait != nil { turn.show("HOLD", at: .control) }
    }
}
