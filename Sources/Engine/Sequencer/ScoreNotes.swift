import Music

/// The sequencer's own copy of a score's notes: in memory of its own, because an access to an inline array may copy all of it.
@safe
struct ScoreNotes: ~Copyable {
    private let steps: UnsafeMutablePointer<StepNotes>
    /// Steps that are played.
    var length: Int

    init(_ score: Score) {
        precondition(MemoryLayout<Score>.offset(of: \.notes) == 0, "a score begins with its notes")
        precondition(MemoryLayout<StepNotes>.size == noteCount * MemoryLayout<Note>.stride, "a step is its notes")
        unsafe steps = .allocate(capacity: trackCount * stepCount)
        for index in 0..<trackCount * stepCount { unsafe (steps + index).initialize(to: score.notes[index]) }
        length = Int(score.parameters[.length])
    }

    deinit { unsafe steps.deallocate() }

    /// Copies a track's notes from among those of all tracks.
    mutating func take(_ track: Int, of source: UnsafePointer<StepNotes>) {
        let first = track * stepCount
        for index in first..<first + stepCount { unsafe steps[index] = source[index] }
    }

    /// A note of a track on a step.
    subscript(track: Int, note: Int, step: Int) -> Note {
        get {
            let cells = unsafe UnsafeRawPointer(steps + track * stepCount + step).assumingMemoryBound(to: Note.self)
            return unsafe cells[note]
        }
    }

    /// Whether a note starts on a step that is played.
    func isHead(track: Int, note: Int, step: Int) -> Bool { step < length && self[track, note, step].isHead }

    /// How many sustain cells follow a head without a gap, cyclically within the length.
    func sustainCount(track: Int, note: Int, head: Int) -> Int {
        var count = 0
        var step = head
        while count < length - 1 {
            step = step + 1 == length ? 0 : step + 1
            guard self[track, note, step].isSustain else { break }
            count += 1
        }
        return count
    }
}
