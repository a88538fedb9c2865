import Grid
import Music

/// A finger on a track that is looked at through a lens, which it changes whatever the track is looked at through by then.
struct LensFinger: Sendable {
    let lens: Lens
    /// The slot that was shown at the `down`.
    let slot: Slot
    var tracker: TouchTracker
    private let client: ClientID
    private let downNumber: Int

    init(
        downAt place: Place, _ lens: Lens, on slot: Slot, of client: ClientID, on surface: TouchSurface, in turn: Turn
    ) {
        self.lens = lens
        self.slot = slot
        self.client = client
        downNumber = turn.number
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
    }

    /// A hold waits for the client's report, so that nothing is shown that would have to be withdrawn.
    var wait: Wait? {
        guard tracker.drag == nil, let hold = tracker.wait else { return nil }
        return Wait(start: hold.start, length: hold.length)
    }

    var drag: DragID? { tracker.isTap ? nil : DragID(number: downNumber) }

    /// Whether the slot plays, and the lens is open on its track.
    func isShown(in turn: Turn) -> Bool {
        turn.context.lenses[slot.track] == lens && turn.document.pattern.playing.contains(slot)
    }

    var rowCount: Int { Layout.rows(of: slot.track).count }

    /// A cell of the track, its rows counted from 0 below.
    func cell(at step: Int, row: Int) -> PreviewCell {
        PreviewCell(track: slot.track, note: row * Track.noteCount / rowCount, step: step, velocity: .normal)
    }

    /// The finger has been held: shows the result.
    func expire(showing title: String, in turn: inout Turn) {
        turn.show(title, at: .finger(tracker.place))
        turn.shake(client, .heavy)
    }

    /// Shows the result of a drag so far.
    func showDrag(_ title: String, in turn: inout Turn) {
        if let drag { turn.show(title, at: .finger(tracker.place), during: drag) }
    }

    /// The finger is lifted: writes the slot's new contents, and shows what a tap did.
    func write(_ notes: SlotNotes, cells: Int = 0, showing title: String, in turn: inout Turn) {
        if turn.edit([.edit([slot: notes])]) { turn.report(lens.name, notes: cells) }
        if let drag {
            turn.endTooltip(of: drag)
            turn.shake(client, .medium)
        } else if !tracker.isHeld {
            turn.show(title, at: .finger(tracker.place))
            turn.shake(client, .light)
        }
    }
}

/// A finger on a track whose length is shown: the step under it becomes the last of the slot's own loop. A tap on the
/// last step lets the slot follow the pattern's length again.
struct LengthContact: Contact {
    private var finger: LensFinger
    private(set) var preview: [PreviewCell] = []

    init(_ finger: LensFinger, in turn: Turn) {
        self.finger = finger
        _ = judgeAnew(in: turn)
    }

    var drag: DragID? { finger.drag }

    mutating func move(to place: Place, in turn: inout Turn) {
        finger.tracker.move(to: place, at: turn.now)
        _ = judgeAnew(in: turn)
        finger.showDrag(SlotNotes.title(ofLength: length(in: turn)), in: &turn)
    }

    mutating func lift(in turn: inout Turn) {
        var notes = turn.document.pattern[finger.slot]
        notes.length = length(in: turn)
        finger.write(notes, showing: SlotNotes.title(ofLength: notes.length), in: &turn)
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        let (present, new) = (turn.length(of: finger.slot), length(in: turn) ?? turn.length)
        let changed = finger.isShown(in: turn) && new != present ? min(new, present) - 1..<present : 0..<0
        preview = changed.flatMap { step in (0..<finger.rowCount).map { finger.cell(at: step, row: $0) } }
        return true
    }

    private func length(in turn: Turn) -> Int? {
        let length = DragShape.step(at: finger.tracker.place.column, length: SlotNotes.stepCount) + 1
        return finger.tracker.isTap && length == turn.length(of: finger.slot) ? nil : length
    }
}

/// A finger on a track whose speed is shown: a tap chooses the speed of its row.
struct SpeedContact: Contact {
    private var finger: LensFinger
    private(set) var preview: [PreviewCell] = []

    init(_ finger: LensFinger, in turn: Turn) {
        self.finger = finger
        _ = judgeAnew(in: turn)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        finger.tracker.move(to: place, at: turn.now)
        _ = judgeAnew(in: turn)
    }

    mutating func lift(in turn: inout Turn) {
        guard finger.tracker.isTap else { return }
        var notes = turn.document.pattern[finger.slot]
        notes.speed = speed
        finger.write(notes, showing: "X \(speed.name)", in: &turn)
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        let isChange = finger.tracker.isTap && speed != turn.document.pattern[finger.slot].speed
        let steps = finger.isShown(in: turn) && isChange ? 0..<turn.length(of: finger.slot) : 0..<0
        preview = steps.map { finger.cell(at: $0, row: row) }
        return true
    }

    private var row: Int { Layout.rows(of: finger.slot.track).upperBound - finger.tracker.start.row }
    private var speed: Speed { Speed.choices(rows: finger.rowCount)[row] }
}
