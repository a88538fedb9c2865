import Glibc

/// The twelve notes of one track on one step.
public struct StepNotes: Hashable, Sendable, BitwiseCopyable {
    private var cells = PerNote<Note>(repeating: Note())

    /// All notes off.
    public init() {}

    public init(_ notes: NoteSet, _ velocity: Velocity) {
        for note in notes { self[note] = velocity }
    }

    /// The velocity of a note, 0 to 11. Setting it replaces the note, with default values.
    public subscript(note: Int) -> Velocity {
        get { cells[note].velocity }
        set { cells[note] = Note(newValue) }
    }

    /// A note, 0 to 11, with its values.
    public subscript(whole note: Int) -> Note {
        get { cells[note] }
        set { cells[note] = newValue }
    }

    public var isEmpty: Bool { notes.isEmpty }

    public var notes: NoteSet { all { $0 != Note() } }

    /// The notes that start here.
    public var heads: NoteSet { all { $0.isHead } }

    /// The notes that prolong those of the step before.
    public var sustains: NoteSet { all { $0.isSustain } }

    /// These notes, with all outside the given set turned off.
    public func keeping(_ kept: NoteSet) -> StepNotes {
        var result = StepNotes()
        for note in kept { result.cells[note] = cells[note] }
        return result
    }

    /// These notes with the values that they have on another step; those that do not start on both keep their own.
    public func keepingValues(of other: StepNotes) -> StepNotes {
        var result = self
        for note in heads.intersection(other.heads) {
            result.cells[note] = other.cells[note]
            result.cells[note].velocity = self[note]
        }
        return result
    }

    /// The strongest note in the set (accent over normal over sustain); of equals the lowest.
    public func mostProminent(among set: NoteSet) -> Int? {
        var best: Int?
        for note in notes.intersection(set) {
            if let current = best, self[note].prominence <= self[current].prominence { continue }
            best = note
        }
        return best
    }

    private func all(where isIncluded: (Note) -> Bool) -> NoteSet {
        var bits: UInt16 = 0
        var note = 0
        while note < Track.noteCount {
            if isIncluded(cells[note]) { bits |= 1 << UInt16(note) }
            note += 1
        }
        return NoteSet(bits: bits)
    }

    public static func == (left: StepNotes, right: StepNotes) -> Bool {
        // Fast, as documents are compared often. Notes have no padding.
        unsafe withUnsafeBytes(of: left.cells) { left in
            unsafe withUnsafeBytes(of: right.cells) { right in
                unsafe memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
            }
        }
    }

    public func hash(into hasher: inout Hasher) {
        unsafe withUnsafeBytes(of: cells) { unsafe hasher.combine(bytes: $0) }
    }
}
