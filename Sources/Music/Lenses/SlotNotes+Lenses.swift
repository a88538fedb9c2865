extension SlotNotes {
    /// What is left when what the dice and the cycles decided in one pass is made to stay: the notes that did not play go,
    /// those that did lose chance and cycle. Steps beyond the loop stay as they are. FILL counts as not held.
    ///
    /// - Parameters:
    ///   - loop: What the notes are played in.
    ///   - firstPass: The pass in which they began to play.
    public func frozen(
        on track: Track, in loop: Loop, pass: Int64, firstPass: Int64, by dice: Dice
    ) -> SlotNotes {
        var result = self
        for step in 0..<min(loop.length, SlotNotes.stepCount) {
            let turn = StepTurn(
                track: track.rawValue, count: loop.origin + pass * Int64(loop.length) + Int64(step), pass: pass,
                firstPass: firstPass)
            for number in self[step].heads {
                var note = self[step][whole: number]
                if note.plays(number, at: turn, by: dice) {
                    for value in [NoteValue.chance, .cycle] { note[value] = Note()[value] }
                } else {
                    note = Note()
                }
                result[step][whole: number] = note
            }
        }
        return result
    }

    /// These notes with a value's default, on hidden steps too.
    public func resetting(_ value: NoteValue) -> SlotNotes {
        var result = self
        for step in 0..<SlotNotes.stepCount {
            result[step] = self[step].setting(value, of: .all, to: Note()[value])
        }
        return result
    }
}
