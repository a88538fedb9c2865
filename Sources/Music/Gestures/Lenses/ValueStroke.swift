import Grid
import Music

/// A finger's change of a note value: the steps that it affects, and the new value.
struct ValueStroke: Equatable, Sendable {
    let value: NoteValue
    let number: Int
    /// Each once, in the order of touching.
    let steps: [Int]
    /// The notes that it changes: on pitched tracks all of a step, on rhythm those of the row.
    private let notes: NoteSet

    /// - Parameters:
    ///   - step: The step on which the finger went down.
    ///   - sounding: The slot's notes.
    init(_ finger: TouchTracker, on value: NoteValue, of track: Track, step: Int, length: Int, sounding: SlotNotes) {
        let row = NoteSet(Layout.notes(of: track, row: finger.start.row))
        let shown = value.row.choices[sounding[step].choice(of: value, among: row)]
        self.value = value
        notes = track.isPitched ? .all : row
        switch finger.drag {
        case let drag? where drag.hasLeftCell && drag.heading == .horizontal:
            steps = DragShape.steps(at: drag.columns, length: length)
            number = shown
        case let drag? where drag.hasLeftCell:
            steps = [step]
            number = value.moved(shown, by: finger.start.row - finger.place.row)
        default:
            steps = [step]
            number = finger.isHeld ? value.row.choices[0] : value.next(after: shown)
        }
    }

    /// The notes of a slot with the value set.
    func applied(to slot: SlotNotes) -> SlotNotes {
        var slot = slot
        for step in steps { slot[step] = slot[step].setting(value, of: notes, to: number) }
        return slot
    }

    /// The heads of a slot whose value would change.
    func changes(on track: Track, in slot: SlotNotes) -> [PreviewCell] {
        steps.flatMap { step in
            slot[step].heads.intersection(notes).filter { slot[step][whole: $0][value] != number }.map {
                PreviewCell(track: track, note: $0, step: step, velocity: slot[step][$0])
            }
        }
    }
}
