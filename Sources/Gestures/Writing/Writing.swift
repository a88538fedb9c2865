import Grid
import Music

/// What a gesture writes on one track.
struct Writing: Equatable, Sendable {
    /// The notes that are written on a step; empty where a gesture only removes.
    struct Step: Equatable, Sendable {
        var step: Int
        var notes: StepNotes
    }

    let track: Track
    /// The notes that go from each of the steps before it is written.
    let cleared: NoteSet
    /// The steps, each once, in the order of touching.
    let steps: [Step]

    /// Pitched tracks hold one gesture's result per step; rhythm layers.
    init(_ track: Track, replacing steps: [Step]) {
        self.init(track, clearing: track.isPitched ? .all : [], steps)
    }

    init(_ track: Track, clearing cleared: NoteSet, _ steps: [Step]) {
        self.track = track
        self.cleared = cleared
        self.steps = steps
    }

    /// Cells written.
    var cellCount: Int { steps.reduce(0) { $0 + $1.notes.notes.count } }

    var preview: [PreviewCell] {
        var cells: [PreviewCell] = []
        cells.reserveCapacity(cellCount)
        for step in steps {
            for note in step.notes.notes {
                cells.append(PreviewCell(track: track, note: note, step: step.step, velocity: step.notes[note]))
            }
        }
        return cells
    }

    func applied(to slot: SlotNotes) -> SlotNotes {
        var slot = slot
        for step in steps {
            var notes = slot[step.step].keeping(NoteSet.all.subtracting(cleared))
            for note in step.notes.notes { notes[whole: note] = step.notes[whole: note] }
            slot[step.step] = notes
        }
        return slot
    }
}
