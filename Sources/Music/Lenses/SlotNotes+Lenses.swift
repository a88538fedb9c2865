extension SlotNotes {
    /// What is left when what the dice and the cycles decided in one pass is made to stay: the notes that did not play go,
    /// those that did lose chance and cycle. Steps beyond the loop stay as they are. FILL counts as not held.
    ///
    /// - Parameters:
    ///   - time: When they are played.
    ///   - firstPass: The pass in which they began to play.
    public func frozen(
        on track: Track, in time: TrackTime, pass: Int64, firstPass: Int64, by dice: Dice
    ) -> SlotNotes {
        var result = self
        for step in 0..<min(time.length, SlotNotes.stepCount) {
            let turn = StepTurn(
                track: track.rawValue, count: time.start(ofPass: pass) + Int64(step), pass: pass, firstPass: firstPass)
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

    /// The slot with a lens's default, on hidden steps too.
    public func resetting(_ lens: Lens) -> SlotNotes {
        var result = self
        switch lens.kind {
        case .notes(let value): result = resetting(value)
        case .length: result.length = nil
        case .speed: result.speed = .normal
        case .motion(let parameter): result.motions.clear(parameter)
        }
        return result
    }

    private func resetting(_ value: NoteValue) -> SlotNotes {
        var result = self
        for step in 0..<SlotNotes.stepCount {
            result[step] = self[step].setting(value, of: .all, to: Note()[value])
        }
        return result
    }
}
