/// A finger that holds a tempo or length button, which then repeats.
struct NudgeContact: HeldContact {
    private let nudge: Nudge
    var hold: Hold

    init(_ nudge: Nudge, downAt place: Place, at now: Moment) {
        self.nudge = nudge
        hold = Hold(at: place, since: now, for: Threshold.repeatDelay)
    }

    mutating func expire(in turn: inout Turn) {
        turn.press(nudge)
        hold.wait = Wait(start: turn.now, length: Threshold.repeatInterval)
    }
}
