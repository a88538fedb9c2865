import Grid
import Music

/// The notes that a gesture writes on one track.
struct Writing: Equatable, Sendable {
    /// The notes that are written on a step; empty where a gesture only removes.
    struct Step: Equatable, Sendable {
        var step: Int
        var notes: StepNotes
    }

    let track: Track
    /// The notes that are removed from each of the steps before it is written.
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

    /// A slot's notes with these, each as long as the gesture made it: what an older note still had behind a new head is
    /// removed.
    ///
    /// - Parameter length: How many steps of the slot are played, which an older note goes round.
    func applied(to slot: SlotNotes, length: Int) -> SlotNotes {
        var result = slot
        for step in steps {
            var notes = result[step.step].keeping(NoteSet.all.subtracting(cleared))
            for note in step.notes.notes { notes[whole: note] = step.notes[whole: note] }
            result[step.step] = notes
        }
        for step in steps {
            for note in step.notes.heads.intersection(slot[step.step].sustains) {
                result.cutSustain(of: note, behind: step.step, in: slot, except: self, length: length)
            }
        }
        return result
    }

    /// Whether a note is written on a step.
    fileprivate func writes(_ note: Int, on step: Int) -> Bool {
        steps.contains { $0.step == step && $0.notes.notes.contains(note) }
    }
}

// Diagonal drags: the straight line from the start's note to the finger's.

extension DragShape {
    /// One note on each touched step; the finger's note beyond the finger, the start's behind the start.
    func straightLine() -> Writing {
        line { index in
            let place = place(at: steps[index])
            return track.isPitched ? key.snap(place) : Int(place + 0.5)
        }
    }

    /// The height of the line at a step, in notes. A single division of integers, so that a point midway between two
    /// notes is exact.
    private func place(at step: Int) -> Double {
        let rise = fingerNote - startNote
        let run = abs(fingerStep - steps[0])
        // If the finger came back to the start's step, the line is vertical there; other steps lie beyond the finger.
        if run == 0 { return Double(step == steps[0] ? startNote : fingerNote) }
        let walked = isLeftOfStart ? steps[0] - step : step - steps[0]
        if walked <= 0 { return Double(startNote) }
        if walked >= run { return Double(fingerNote) }
        return Double(startNote) + Double(rise * walked) / Double(run)
    }
}

// Vertical drags: notes one above the other on the start step.

extension DragShape {
    /// As many tones of the seventh chord as rows were crossed, two to four.
    func chord() -> Writing {
        let toneCount = min(max(abs(fingerRow - startRow) + 1, 2), 4)
        return stack(StepNotes(NoteSet(key.seventhChord(on: startNote).prefix(toneCount)), velocity))
    }

    /// The root with its fifth; dragged down, with the fifth below.
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

// Horizontal drags after a hold, on pitched tracks.

extension DragShape {
    /// What a tap writes, accented on the leftmost touched step and sustained on the others.
    func sustain() -> Writing {
        let head = key.tapNotes(on: startNote, of: track, .accent)
        let leftmost = steps.min()
        return Writing(
            track,
            replacing: steps.map { step in
                .init(step: step, notes: step == leftmost ? head : StepNotes(head.notes, .sustain))
            })
    }
}

extension SlotNotes {
    /// Removes the sustain cells that an older note had in `slot` behind a step, but for those that the gesture wrote.
    fileprivate mutating func cutSustain(
        of note: Int, behind step: Int, in slot: SlotNotes, except writing: Writing, length: Int
    ) {
        var next = (step + 1) % length
        while next != step, slot[note, next] == .sustain {
            if !writing.writes(note, on: next) { self[note, next] = .off }
            next = (next + 1) % length
        }
    }
}
