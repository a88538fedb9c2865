import Engine
import Music
import Rendering

/// What is known of notes that are played by hand while the music runs.
struct Recording {
    /// What the newest recorded note was part of: as long as it stays, those that follow are the same undo step.
    struct Pass: Equatable {
        var number: Int64
        var revision: Int
        var slots: PlayingSlots
        var length: Int
    }

    /// The slot that each note under way is written into, by track * 12 + note.
    var slots: [Int: Slot] = [:]
    var pass: Pass?
}

extension Session {
    /// Arms recording, or disarms it, which writes the notes under way.
    func record(_ isOn: Bool, at now: Duration) {
        guard isOn != isRecording else { return }
        isRecording = isOn
        scene.isRecording = isOn
        send(.record(isOn), at: now)
        sceneChanged()
    }

    /// A note has begun: it belongs to the slot that plays now.
    func notePlayed(_ note: Int, on track: Int) {
        guard let track = Track(rawValue: track) else { return }
        recording.slots[track.rawValue * Track.noteCount + note] = Slot(track, document.pattern.playing[track])
    }

    /// Writes a note that was played; those of one pass of the loop are one undo step.
    func write(_ note: RecordedNote, at now: Duration) {
        guard let track = Track(rawValue: Int(note.track)), Int(note.step) < document.pattern.length else { return }
        let key = track.rawValue * Track.noteCount + Int(note.note)
        let slot = recording.slots.removeValue(forKey: key) ?? Slot(track, document.pattern.playing[track])
        var notes = document.pattern[slot]
        notes.write(note, on: track, length: document.pattern.length)
        guard apply([change(slot, to: notes, pass: note.pass)]) else { return }
        recording.pass = pass(note.pass)
        documentChanged(at: now)
    }

    private func pass(_ number: Int64) -> Recording.Pass {
        let pattern = document.pattern
        return Recording.Pass(
            number: number, revision: document.history.revision, slots: pattern.playing, length: pattern.length)
    }

    private func change(_ slot: Slot, to notes: TrackCells, pass number: Int64) -> DocumentChange {
        guard document.pattern.playing.contains(slot) else { return .editSlots([slot: notes]) }
        var cells = document.pattern.cells
        cells[slot.track] = notes
        return recording.pass == pass(number) ? .amend(cells) : .edit(cells)
    }
}

extension TrackCells {
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
            let heads = self[step].notes.filter { self[step][$0].isHead }
            if track == .melody ? !heads.isEmpty : heads.contains(row) { break }
            self[step] = cell(step, .sustain)
        }
    }

    private func steps(after head: Int, length: Int) -> [Int] {
        (1..<length).map { (head + $0) % length }
    }
}
