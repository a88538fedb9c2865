/// The notes that are sounding, to find those that an edit removed.
///
/// A note's length is fixed when it starts. But a note whose head is erased is released at once, and one whose sustain
/// cells are removed is released as soon as the clock is past the remaining ones.
struct HeldNotes: ~Copyable {
    struct Held: BitwiseCopyable {
        var isHeld = false
        /// The step on which the note started.
        var head = 0
        /// The frame on which it started.
        var start: Int64 = 0
        /// Sustain cells that it still has; never more than when it started.
        var sustainCount = 0
        /// Steps of the track that started since its own.
        var elapsed = 0
        var isShortened = false
    }

    private var notes = FixedArray(count: trackCount * noteCount) { _ in Held() }

    /// Records that a note starts, maybe some steps after its own.
    mutating func start(track: Int, note: Int, head: Int, sustainCount: Int, stepsLate: Int, at frame: Int64) {
        notes[track * noteCount + note] = Held(
            isHeld: true, head: head, start: frame, sustainCount: sustainCount, elapsed: stepsLate)
    }

    /// Forgets a note, because its voice plays something else.
    mutating func forget(track: Int, note: Int) {
        notes[track * noteCount + note].isHeld = false
    }

    mutating func forgetAll() {
        for index in 0..<trackCount * noteCount { notes[index].isHeld = false }
    }

    /// Counts the start of a step on a track.
    mutating func countStep(of track: Int) {
        for index in track * noteCount..<(track + 1) * noteCount where notes[index].isHeld {
            notes[index].elapsed += 1
        }
    }

    /// Compares what sounds with a new score.
    mutating func compare(with score: PlayedSlots) {
        for index in 0..<trackCount * noteCount where notes[index].isHeld {
            let (track, note) = (index / noteCount, index % noteCount)
            guard score.isHead(track: track, note: note, step: notes[index].head) else {
                // Even an early note, for which -1 steps have passed, must end.
                notes[index].sustainCount = .min
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

    /// Forgets a note, because its track plays other cells from now on.
    ///
    /// - Returns: The frame on which it started, if its sustain cells are cut short by that.
    mutating func fetchSustained(track: Int, note: Int) -> Int64? {
        let index = track * noteCount + note
        guard notes[index].isHeld else { return nil }
        notes[index].isHeld = false
        let count = notes[index].sustainCount
        guard count > 0 && notes[index].elapsed <= count else { return nil }
        return notes[index].start
    }

    /// Whether to release a note now; it is then forgotten.
    mutating func fetchReleased(track: Int, note: Int) -> Bool {
        let index = track * noteCount + note
        guard notes[index].isHeld && notes[index].isShortened else { return false }
        guard notes[index].elapsed > notes[index].sustainCount else { return false }
        notes[index].isHeld = false
        return true
    }
}

extension HeldNotes {
    typealias Memory = PerVoice<Held>

    func copy(into memory: inout Memory) { notes.copy(into: &memory) }

    mutating func restore(_ memory: Memory) { notes.restore(memory) }
}
