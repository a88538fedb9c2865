import Grid
import Music

/// A finger that went down on a note of a track which is looked at through a lens of notes: it changes the lens's value, and
/// does so whatever the track is looked at through by then.
struct ValueContact: Contact {
    private let client: ClientID
    private let lens: Lens
    private let value: NoteValue
    /// The slot that was shown at the `down`.
    private let slot: Slot
    private let step: Int
    private let downNumber: Int
    private var tracker: TouchTracker
    private(set) var preview: [PreviewCell] = []

    init(
        downAt place: Place, _ lens: Lens, of value: NoteValue, on slot: Slot, step: Int, of client: ClientID,
        on surface: TouchSurface, in turn: inout Turn
    ) {
        self.client = client
        self.lens = lens
        self.value = value
        self.slot = slot
        self.step = step
        downNumber = turn.number
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        _ = judgeAnew(in: turn)
        let row = NoteSet(Layout.notes(of: slot.track, row: place.row))
        let shown = turn.document.pattern.sounding(slot)[step].choice(of: value, among: row)
        turn.show(value.title(of: value.row.choices[shown]), at: .finger(place))
    }

    /// A hold waits for the client's word: nothing is shown of it that might have to be taken back.
    var wait: Wait? {
        guard tracker.drag == nil, let hold = tracker.wait else { return nil }
        return Wait(start: hold.start, length: hold.length)
    }

    var drag: DragID? { tracker.isTap ? nil : DragID(number: downNumber) }

    mutating func expire(in turn: inout Turn) {
        tracker.expire()
        _ = judgeAnew(in: turn)
        turn.show(value.title(of: stroke(in: turn).number), at: .finger(tracker.place))
        turn.shake(client, .heavy)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        tracker.move(to: place, at: turn.now)
        _ = judgeAnew(in: turn)
        guard let drag else { return }
        turn.show(value.title(of: stroke(in: turn).number), at: .finger(place), during: drag)
    }

    mutating func lift(in turn: inout Turn) {
        let stroke = stroke(in: turn)
        let notes = turn.document.pattern.sounding(slot)
        if turn.edit([.edit([slot: stroke.applied(to: notes)])]) {
            turn.report(lens.name, notes: stroke.changes(on: slot.track, in: notes).count)
        }
        if let drag {
            turn.endTooltip(of: drag)
            turn.shake(client, .medium)
        } else if !tracker.isHeld {
            turn.show(value.title(of: stroke.number), at: .finger(tracker.place))
            turn.shake(client, .light)
        }
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        guard step < turn.length(of: slot) else { return false }
        let isShown = turn.context.lenses[slot.track] == lens && turn.document.pattern.playing.contains(slot)
        let notes = turn.document.pattern.sounding(slot)
        preview = isShown ? stroke(in: turn).changes(on: slot.track, in: notes) : []
        return true
    }

    private func stroke(in turn: Turn) -> ValueStroke {
        ValueStroke(
            tracker, on: value, of: slot.track, step: step, length: turn.length(of: slot),
            sounding: turn.document.pattern.sounding(slot))
    }
}
