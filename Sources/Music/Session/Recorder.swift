import Engine
import Music

/// Records notes and movements of parameters while the music runs.
final class Recorder {
    /// The pass that was recorded last: further notes of the same pass belong to the same undo step.
    private struct Pass: Equatable {
        /// The step of the song with which it begins. Its number would not do: a change of length renumbers passes.
        var start: Int64
        var revision: Int
        var slots: PlayingSlots
        var length: Int
    }

    private var newest: Pass?
    /// The last step of the song that the music reached.
    private var songStep: Int64 = 0
    /// Where each parameter was moved last.
    private var trails: [MovedParameter: Trail] = [:]
    /// The step of the song that was heard last.
    private var heardStep: Int64 = 0
    private let edited: EditedDocument

    init(_ edited: EditedDocument) {
        self.edited = edited
    }

    /// Writes a note that was played, unless the pattern was replaced since; the notes of one pass of the loop are one
    /// undo step.
    ///
    /// - Returns: Whether the document changed.
    func write(_ note: RecordedNote) -> Bool {
        guard note.patternRevision == edited.patternRevision,
            let (slot, notes) = edited.document.pattern.slot(with: note)
        else { return false }
        return write(notes, into: slot, inPassFrom: note.passStart)
    }

    /// Writes a slot's new contents; in the same pass, as part of the current undo step. A note whose key was held into a later
    /// pass counts as that pass's.
    private func write(_ notes: SlotNotes, into slot: Slot, inPassFrom start: Int64) -> Bool {
        let document = edited.document
        let start = max(start, newest?.start ?? start)
        let isMore = newest == pass(from: start) && document.pattern.playing.contains(slot)
        guard notes != document.pattern[slot],
            edited.apply(isMore ? document.amendment([slot: notes]) : [.edit([slot: notes])])
        else { return false }
        newest = pass(from: start)
        return true
    }

    /// The music has reached a step of the song. After a stop or a jump back the same steps come again, but in
    /// new passes.
    func follow(_ step: SongStep, isStopped: Bool = false) {
        if isStopped || step.number < songStep { newest = nil }
        songStep = step.number
    }

    private func pass(from start: Int64) -> Pass {
        let (pattern, history) = (edited.document.pattern, edited.document.history)
        return Pass(start: start, revision: history.revision, slots: pattern.playing, length: pattern.length)
    }
}

// MARK: - Motions

/// A parameter of a track that is moved.
private struct MovedParameter: Hashable {
    var track: Track
    var parameter: Parameter
}

/// Where a parameter was moved last.
private struct Trail {
    /// Movements that are further apart are not connected.
    static let longestGap: Duration = .milliseconds(500)

    var slot: Slot
    var time: TrackTime
    var count: Int64
    var value: Double
    var movedAt: Duration
}

extension Recorder {
    /// Writes a parameter's new value on the step that is heard, and a line from its last value on the steps between.
    ///
    /// - Returns: Whether the document changed.
    func move(_ parameter: Parameter, of track: Track, to value: Double, on step: HeardStep, at now: Duration) -> Bool {
        let slot = edited.document.pattern.playing[track]
        let moved = MovedParameter(track: track, parameter: parameter)
        var notes = edited.document.pattern[slot]
        if let trail = trails[moved], trail.slot == slot, step.time.hasSteps(of: trail.time),
            trail.count < step.count, now - trail.movedAt <= Trail.longestGap
        {
            let slope = (value - trail.value) / Double(step.count - trail.count)
            for count in max(trail.count, step.count - Int64(step.time.length)) + 1..<step.count {
                notes.motions[parameter, step.time.step(of: count)] = trail.value + Double(count - trail.count) * slope
            }
        }
        notes.motions[parameter, step.time.step(of: step.count)] = value
        trails[moved] = Trail(slot: slot, time: step.time, count: step.count, value: value, movedAt: now)
        return write(notes, into: slot, inPassFrom: step.passStart)
    }

    /// A step of the song is heard, maybe after a jump.
    func hear(_ step: SongStep) {
        if step.number != heardStep &+ 1 { endTrails() }
        heardStep = step.number
    }

    /// The music stops or jumps: later movements are not connected to earlier ones.
    func endTrails() { trails = [:] }
}

extension Pattern {
    /// A slot as it is with a note that was played into it; nil if the note's step is beyond the slot's length.
    func slot(with note: RecordedNote) -> (slot: Slot, notes: SlotNotes)? {
        guard let track = Track(rawValue: Int(note.track)) else { return nil }
        let slot = Slot(track, Int(note.slot))
        let length = length(of: slot)
        guard Int(note.step) < length else { return nil }
        // Only what sounds is kept: old sustain cells must not prolong the new note.
        var notes = sounding(slot)
        notes.write(note, on: track, length: length)
        return (slot, notes)
    }
}

extension SlotNotes {
    /// Writes a note for as long as it was held, but at most up to its next head; on melody, which has one note a step,
    /// up to any next head.
    fileprivate mutating func write(_ note: RecordedNote, on track: Track, length: Int) {
        let (row, head) = (Int(note.note), Int(note.step))
        func cell(_ step: Int, _ velocity: Velocity) -> StepNotes {
            var notes = track == .melody ? StepNotes() : self[step]
            notes[row] = velocity
            return notes
        }
        // The rest of an older, longer note must not prolong this one.
        for step in steps(after: head, length: length).prefix(while: { self[$0][row] == .sustain }) {
            self[step][row] = .off
        }
        self[head] = cell(head, note.isAccent ? .accent : .normal)
        if note.level != 0 { self[head][whole: row] = Note(.accent, [.level: Int(note.level)]) }
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
