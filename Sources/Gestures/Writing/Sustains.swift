import Music

// Held, then horizontal, on a pitched track.

extension DragShape {
    /// What a tap writes, accented on the leftmost touched step and sustained on the others.
    func sustain() -> Writing {
        let head = key.tapNotes(on: startNote, of: track, .accent)
        let leftmost = steps.min()
        return Writing(
            track,
            replacing: steps.map { step in
                .init(step: step, notes: step == leftmost ? head : StepNotes(head.notes, .sustain))
            })
    }
}
