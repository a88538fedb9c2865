import Engine
import Music

/// Writes notes that are played by hand while the music runs.
final class Recorder {
    /// What the newest recorded note was part of: as long as it stays, those that follow are the same undo step.
    private struct Pass: Equatable {
        var number: Int64
        var revision: Int
        var slots: PlayingSlots
        var length: Int
    }

    /// The slot that each note under way is written into, by track * 12 + note.
    private var slots: [Int: Slot] = [:]
    private var newest: Pass?
    private let edited: EditedDocument

    init(_ edited: EditedDocument) {
        self.edited = edited
    }

    /// A note has begun: it belongs to the slot that plays now.
    func begin(_ note: Int, on track: Int) {
        guard let track = Track(rawValue: track) else { return }
        slots[track.rawValue * Track.noteCount + note] = edited.document.pattern.playing[track]
    }

    /// Writes a note that was played; those of one pass of the loop are one undo step.
    ///
    /// - Returns: Whether the document is another one now.
    func write(_ note: RecordedNote) -> Bool {
        let document = edited.document
        guard let track = Track(rawValue: Int(note.track)) else { return false }
        let key = track.rawValue * Track.noteCount + Int(note.note)
        let slot = slots.removeValue(forKey: key) ?? document.pattern.playing[track]
        let length = document.pattern.length(of: slot)
        guard Int(note.step) < length else { return false }
        var notes = document.pattern[slot]
        notes.write(note, on: track, length: length)
        // Of the same pass, the note belongs to the step that is there.
        let isMore = newest == pass(note.pass) && document.pattern.playing.contains(slot)
        guard notes != document.pattern[slot],
            edited.apply(isMore ? document.amendment([slot: notes]) : [.edit([slot: notes])])
        else { return false }
        newest = pass(note.pass)
        return true
    }

    private func pass(_ number: Int64) -> Pass {
        let (pattern, history) = (edited.document.pattern, edited.document.history)
        return Pass(number: number, revision: history.revision, slots: pattern.playing, length: pattern.length)
    }
}

extension SlotNotes {
    /// Writes a note as long as it was held, but never beyond its next head; on melody, which has one note a step, not
    /// beyond any.
    fileprivate mutating func write(_ note: RecordedNote, on track: Track, length: Int) {
        let (row, head) = (Int(note.note), Int(note.step))
        func cell(_ step: Int, _ velocity: Velocity) -> StepNotes {
            var notes = track == .melody ? StepNotes() : self[step]
            notes[row] = velocity
            return notes
        }
        // What a longer note left here before is not this one's.
        for step in steps(after: head, length: length).prefix(while: { self[$0][row] == .sustain }) {
            self[step][row] = .off
        }
        self[head] = cell(head, note.isAccent ? .accent : .normal)
        for step in steps(after: head, length: length).prefix(Int(note.sustainCount)) {
            let heads = self[step].heads
            if track == .melody ? !heads.isEmpty : heads.contains(row) { break }
            self[step] = cell(step, .sustain)
        }
    }

    private func steps(after head: Int, length: Int) -> [Int] {
        (1..<length).map { (head + $0) % length }
    }
}
