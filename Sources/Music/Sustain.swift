// A sustain cell prolongs the same note of the step before it. Without a head (a normal or accent cell that it leads
// back to) it is headless: silent, not shown, and gone for good with the next edit.

extension Cells {
    /// The step before, as a sustain cell sees it: cyclic within the length, one by one beyond it.
    static func stepBefore(_ step: Int, length: Int) -> Int {
        step == 0 ? length - 1 : step - 1
    }

    /// The step on which the note of a sustain cell starts, nil when the cell is headless.
    ///
    /// - Parameters:
    ///   - step: A step on which the note is a sustain cell, 0 to 31.
    ///   - length: Steps of the pattern, 8 to 32.
    public func head(of track: Track, _ note: Int, at step: Int, length: Int) -> Int? {
        var current = step
        for _ in 0..<Cells.stepCount {
            current = Cells.stepBefore(current, length: length)
            switch self[track, note, current] {
            case .normal, .accent: return current
            case .off: return nil
            case .sustain: continue
            }
        }
        return nil
    }

    /// How many sustain cells follow the head of a note without a gap, cyclically within the length.
    public func sustainCount(after head: Int, of track: Track, _ note: Int, length: Int) -> Int {
        var count = 0
        var step = (head + 1) % length
        while count < length - 1, self[track, note, step] == .sustain {
            count += 1
            step = (step + 1) % length
        }
        return count
    }

    /// These cells without the headless ones: what sounds and is shown at this length, and what an edit leaves.
    public func removingHeadless(length: Int) -> Cells {
        guard steps.contains(where: \.hasSustains) else { return self }
        var result = self
        for track in Track.allCases {
            var sounding = StepNotes.Marks()
            // What sounds on the last step decides about the first: hence round the loop once only to find out.
            for step in 0..<length { sounding = self[track, step].sounding(after: sounding) }
            for step in 0..<Cells.stepCount {
                let notes = self[track, step]
                sounding = notes.sounding(after: sounding)
                result[track, step] = notes.keeping(sounding)
            }
        }
        return result
    }
}

extension StepNotes {
    /// A set of notes, one bit in two: as they lie in ``bits``.
    fileprivate struct Marks {
        var bits: UInt32 = 0
    }

    private static let lowBits: UInt32 = 0x0055_5555

    /// Whether any of the cells prolongs a note.
    fileprivate var hasSustains: Bool { bits & bits >> 1 & StepNotes.lowBits != 0 }

    /// The notes that sound here when the given ones sound on the step before: heads, and sustain cells of those.
    fileprivate func sounding(after previous: Marks) -> Marks {
        let heads = (bits ^ bits >> 1) & StepNotes.lowBits
        let sustains = bits & bits >> 1 & StepNotes.lowBits
        return Marks(bits: heads | sustains & previous.bits)
    }

    /// The marked notes as they are here, all others off.
    fileprivate func keeping(_ marks: Marks) -> StepNotes {
        StepNotes(bits: bits & (marks.bits | marks.bits << 1))
    }
}
