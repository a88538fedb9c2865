import Grid
import Music

// Vertical drags: notes one above the other on the start step.

extension DragShape {
    /// As many tones of the seventh chord as rows were crossed, two to four.
    func chord() -> Writing {
        let toneCount = min(max(abs(fingerRow - startRow) + 1, 2), 4)
        return stack(StepNotes(NoteSet(key.seventhChord(on: startNote).prefix(toneCount)), velocity))
    }

    /// The root with its fifth, dragged down with the fifth below.
    func rootAndFifth() -> Writing {
        let fifth = isBelowStart ? key.fifth(below: startNote) : key.fifth(above: startNote)
        return stack(key.bassNotes(root: startNote, fifth: fifth, velocity))
    }

    /// The drum of every row from the start to the finger.
    func multi() -> Writing {
        let rows = min(startRow, fingerRow)...max(startRow, fingerRow)
        return stack(StepNotes(NoteSet(rows.map { key.note(of: track, row: $0) }), velocity))
    }
}
