import Grid
import Music

/// A finger on a track whose length is shown: the step under it becomes the last of the slot's own loop; a tap on what is the
/// last lets the slot follow the whole again.
struct LengthContact: Contact {
    private let client: ClientID
    /// The slot that was shown at the `down`.
    private let slot: Slot
    private let downNumber: Int
    private var tracker: TouchTracker

    init(
        downAt place: Place, on slot: Slot, of client: ClientID, on surface: TouchSurface, in turn: Turn
    ) {
        self.client = client
        self.slot = slot
        downNumber = turn.number
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
    }

    var drag: DragID? { tracker.isTap ? nil : DragID(number: downNumber) }

    mutating func move(to place: Place, in turn: inout Turn) {
        tracker.move(to: place, at: turn.now)
        if let drag { turn.show(SlotNotes.title(ofLength: length(in: turn)), at: .finger(place), during: drag) }
    }

    mutating func lift(in turn: inout Turn) {
        var notes = turn.document.pattern[slot]
        notes.length = length(in: turn)
        if turn.edit([.edit([slot: notes])]) { turn.report(Lens.length.name, notes: 0) }
        if let drag {
            turn.endTooltip(of: drag)
            turn.shake(client, .medium)
        } else {
            turn.show(SlotNotes.title(ofLength: notes.length), at: .finger(tracker.place))
            turn.shake(client, .light)
        }
    }

    private func length(in turn: Turn) -> Int? {
        let length = DragShape.step(at: tracker.place.column, length: SlotNotes.stepCount) + 1
        return tracker.isTap && length == turn.length(of: slot) ? nil : length
    }
}

/// A finger on a track whose speed is shown: a tap chooses what its row stands for.
struct SpeedContact: Contact {
    private let client: ClientID
    /// The slot that was shown at the `down`.
    private let slot: Slot
    private var tracker: TouchTracker

    init(
        downAt place: Place, on slot: Slot, of client: ClientID, on surface: TouchSurface, in turn: Turn
    ) {
        self.client = client
        self.slot = slot
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
    }

    mutating func move(to place: Place, in turn: inout Turn) { tracker.move(to: place, at: turn.now) }

    mutating func lift(in turn: inout Turn) {
        guard tracker.isTap else { return }
        let rows = Layout.rows(of: slot.track)
        var notes = turn.document.pattern[slot]
        notes.speed = Speed.choices(rows: rows.count)[rows.upperBound - tracker.start.row]
        if turn.edit([.edit([slot: notes])]) { turn.report(Lens.speed.name, notes: 0) }
        turn.show("X \(notes.speed.name)", at: .finger(tracker.place))
        turn.shake(client, .light)
    }
}
