/// A finger that holds a tempo or length button; it lets go by straying more than a cell from it.
struct NudgeContact: Contact {
    private let nudge: Nudge
    private let start: Place
    private var repeatsAt: Duration?

    init(_ nudge: Nudge, downAt place: Place, at now: Duration) {
        self.nudge = nudge
        start = place
        repeatsAt = now + Threshold.repeatDelay
    }

    var deadline: Duration? { repeatsAt }

    mutating func expire(in turn: inout Turn) {
        turn.press(nudge)
        repeatsAt = turn.now + Threshold.repeatInterval
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: start) { repeatsAt = nil }
    }
}
