/// The twelve cells of one track on one step, two bits a cell.
public struct StepNotes: Hashable, Sendable {
    /// Bits 2n and 2n+1 hold the raw value of note n's ``Velocity``; bits 24 to 31 are 0.
    public private(set) var bits: UInt32

    /// The cells that the bits describe; bits above 23 are ignored.
    public init(bits: UInt32 = 0) {
        self.bits = bits & 0x00ff_ffff
    }

    /// The given notes, all at one velocity.
    public init(_ notes: NoteSet, _ velocity: Velocity) {
        self.init()
        for note in notes { self[note] = velocity }
    }

    /// The cell of a note, 0 to 11.
    public subscript(note: Int) -> Velocity {
        get { Velocity(rawValue: UInt8(truncatingIfNeeded: bits >> UInt32(2 * note)) & 3)! }
        set {
            precondition((0..<Track.noteCount).contains(note), "note \(note) outside 0...11")
            bits = bits & ~(3 << UInt32(2 * note)) | UInt32(newValue.rawValue) << UInt32(2 * note)
        }
    }

    /// Whether all cells are off.
    public var isEmpty: Bool { bits == 0 }

    /// The notes that are not off.
    public var notes: NoteSet { StepNotes.notes(atEvenBits: (bits | bits >> 1) & 0x0055_5555) }

    private static func notes(atEvenBits bits: UInt32) -> NoteSet {
        var set = NoteSet()
        var rest = bits
        while rest != 0 {
            set.insert(rest.trailingZeroBitCount / 2)
            rest &= rest - 1
        }
        return set
    }

    /// The notes of the given set as they are here, all others off.
    public func keeping(_ kept: NoteSet) -> StepNotes {
        var result = self
        for note in notes.subtracting(kept) { result[note] = .off }
        return result
    }

    /// Of the notes in the set the strongest (accent over normal over sustain), of equals the lowest.
    public func mostProminent(among set: NoteSet) -> Int? {
        var best: Int?
        for note in notes.intersection(set) {
            if let current = best, self[note].prominence <= self[current].prominence { continue }
            best = note
        }
        return best
    }
}
