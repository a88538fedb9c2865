/// What the sequencer lets sound at present: to find the notes that an edit took away.
///
/// A note's length is fixed when it starts. But a note whose head is erased is released at once, and one whose sustain
/// cells are taken away is released as soon as the clock is past those that are left.
struct HeldNotes: ~Copyable {
    private struct Held: BitwiseCopyable {
        var isHeld = false
        /// The step on which the note started.
        var head = 0
        /// Sustain cells that it still has; never more than when it started.
        var sustainCount = 0
        /// Steps that started since.
        var elapsed = 0
        var isShortened = false
    }

    private var notes = InlineArray<48, Held>(repeating: Held())

    init() {}

    /// Notes that a note starts.
    @_noLocks @_noAllocation
    mutating func start(track: Int, note: Int, head: Int, sustainCount: Int) {
        notes[track * 12 + note] = Held(isHeld: true, head: head, sustainCount: sustainCount)
    }

    /// Forgets a note: something else sounds in its place.
    @_noLocks @_noAllocation
    mutating func forget(track: Int, note: Int) {
        notes[track * 12 + note].isHeld = false
    }

    /// Forgets all notes.
    @_noLocks @_noAllocation
    mutating func forgetAll() {
        for index in 0..<48 { notes[index].isHeld = false }
    }

    /// Counts a step that starts.
    @_noLocks @_noAllocation
    mutating func countStep() {
        for index in 0..<48 where notes[index].isHeld { notes[index].elapsed += 1 }
    }

    /// Compares what sounds with a new score.
    @_noLocks @_noAllocation
    mutating func compare(with score: borrowing Score) {
        for index in 0..<48 where notes[index].isHeld {
            let (track, note) = (index / 12, index % 12)
            guard score.isHead(track: track, note: note, step: notes[index].head) else {
                notes[index].sustainCount = -1
                notes[index].isShortened = true
                continue
            }
            let count = score.sustainCount(track: track, note: note, head: notes[index].head)
            if count < notes[index].sustainCount {
                notes[index].sustainCount = count
                notes[index].isShortened = true
            }
        }
    }

    /// Whether a note is to be released now; it is forgotten then.
    @_noLocks @_noAllocation
    mutating func takeReleased(track: Int, note: Int) -> Bool {
        let held = notes[track * 12 + note]
        guard held.isHeld && held.isShortened && held.elapsed > held.sustainCount else { return false }
        forget(track: track, note: note)
        return true
    }
}
