/// A finger on a button that does something else when it is held; it lets go by straying more than a cell from where it went
/// down.
protocol HeldContact: Contact {
    var hold: Hold { get set }
}

extension HeldContact {
    var wait: Wait? { hold.wait }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: hold.place) { hold.wait = nil }
    }
}

/// Where a finger went down, and what it waits for there; nil once it has let go, or been held for long enough.
struct Hold {
    let place: Place
    var wait: Wait?

    init(at place: Place, since now: Moment, for length: Duration) {
        self.place = place
        wait = Wait(start: now, length: length)
    }
}
