import Grid
import Music

/// A finger that went down on a note of a track which is looked at through a lens of notes: it changes the lens's value.
struct ValueContact: Contact {
    private var finger: LensFinger
    private let value: NoteValue
    private let step: Int
    private(set) var preview: [PreviewCell] = []

    init(_ finger: LensFinger, of value: NoteValue, step: Int, in turn: inout Turn) {
        self.finger = finger
        self.value = value
        self.step = step
        _ = judgeAnew(in: turn)
        let (slot, place) = (finger.slot, finger.tracker.place)
        let row = NoteSet(Layout.notes(of: slot.track, row: place.row))
        let shown = turn.document.pattern.sounding(slot)[step].choice(of: value, among: row)
        turn.show(value.row.title(value.row.choices[shown]), at: .finger(place))
    }

    var wait: Wait? { finger.wait }
    var drag: DragID? { finger.drag }

    mutating func expire(in turn: inout Turn) {
        finger.tracker.expire()
        _ = judgeAnew(in: turn)
        finger.expire(showing: value.row.title(stroke(in: turn).number), in: &turn)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        finger.tracker.move(to: place, at: turn.now)
        _ = judgeAnew(in: turn)
        finger.showDrag(value.row.title(stroke(in: turn).number), in: &turn)
    }

    mutating func lift(in turn: inout Turn) {
        let stroke = stroke(in: turn)
        let notes = turn.document.pattern.sounding(finger.slot)
        finger.write(
            stroke.applied(to: notes), cells: stroke.changes(on: finger.slot.track, in: notes).count,
            showing: value.row.title(stroke.number), in: &turn)
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        guard step < turn.length(of: finger.slot) else { return false }
        let notes = turn.document.pattern.sounding(finger.slot)
        preview = finger.isShown(in: turn) ? stroke(in: turn).changes(on: finger.slot.track, in: notes) : []
        return true
    }

    private func stroke(in turn: Turn) -> ValueStroke {
        ValueStroke(
            finger.tracker, on: value, of: finger.slot.track, step: step, length: turn.length(of: finger.slot),
            sounding: turn.document.pattern.sounding(finger.slot))
    }
}
