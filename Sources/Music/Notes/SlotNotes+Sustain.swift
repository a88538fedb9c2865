// A sustain cell prolongs the same note of the step before it. Without a head (a normal or accent cell that it leads
// back to) it is headless: silent, not shown, and gone for good with the next edit.

extension SlotNotes {
    /// How many sustain cells follow the head of a note without a gap, cyclically within the length.
    public func sustainCount(after head: Int, of note: Int, length: Int) -> Int {
        var count = 0
        var step = (head + 1) % length
        while count < length - 1, self[note, step] == .sustain {
            count += 1
            step = (step + 1) % length
        }
        return count
    }

    /// These notes without the headless ones: what sounds and is shown where the whole has this length, and what an edit
    /// leaves.
    public func removingHeadless(ofWhole wholeLength: Int) -> SlotNotes {
        guard hasSustains else { return self }
        let length = shownLength(ofWhole: wholeLength)
        var result = self
        var sounding = NoteSet()
        // What sounds on the last step decides about the first: hence round the loop once only to find out.
        for step in 0..<length { sounding = self[step].sounding(after: sounding) }
        for step in 0..<SlotNotes.stepCount {
            sounding = self[step].sounding(after: sounding)
            result[step] = self[step].keeping(sounding)
        }
        return result
    }
}

extension StepNotes {
    /// The notes that sound here when the given ones sound on the step before: heads, and sustain cells of those.
    fileprivate func sounding(after previous: NoteSet) -> NoteSet {
        heads.union(sustains.intersection(previous))
    }
}
