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
        var result = self
        for track in Track.allCases {
            for step in 0..<Cells.stepCount {
                for note in self[track, step].sustained
                where head(of: track, note, at: step, length: length) == nil {
                    result[track, note, step] = .off
                }
            }
        }
        return result
    }
}
