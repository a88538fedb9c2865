import Music

// Which notes start, and when: those of each step of the song, early ones with the step before.

extension Sequencer {
    /// The frame on which a planned note starts, if the timing stays.
    func startFrame(_ start: PlannedStart) -> Int64 {
        let clock = transport.clock
        return clock.frame(of: clock.timing.grid.position(of: start.placeStep, part: start.part))
    }

    /// Plans the starts of a step of the song: where it is a step of a track, those of its notes but the early ones, which have
    /// begun before it.
    ///
    /// - Returns: The notes that play.
    mutating func planStarts(of songStep: Int64) -> PerTrack<StartedNotes> {
        var started = PerTrack(repeating: StartedNotes())
        for track in 0..<trackCount {
            let (step, turn) = turn(of: track, at: songStep)
            for number in 0..<noteCount {
                let note = notes[track, number, step]
                guard note.isHead && note.plays(number, at: turn, by: settings.dice) else { continue }
                started[track].insert(number, isAccent: note.isAccent)
                guard note[.nudge] >= 0 || joins[track], !hasBegun(track, number, songStep) else { continue }
                var start = start(of: note, number, on: track, step: step, songStep: songStep)
                if note[.nudge] < 0 { start.placeOnStep() }
                starts.add(start)
            }
        }
        return started
    }

    /// Plans anew the early starts of the step that comes next, but for those whose time is past.
    mutating func planEarlyStarts(of songStep: Int64) { planMovedStarts(of: songStep, areLate: false) }

    /// Plans anew what is still to start of the step in progress, and early of the next: notes may have been edited.
    mutating func replanStarts() {
        planMovedStarts(of: transport.clock.songStep, areLate: true)
        planEarlyStarts(of: transport.clock.songStep + 1)
    }

    /// Drops what is still to start of a track.
    mutating func dropStarts(of track: Int) {
        let begun = unsafe begun.elements
        starts.remove { start in
            guard start.track == track else { return false }
            unsafe begun[track * noteCount + start.number] = start.songStep
            return true
        }
    }

    private mutating func planMovedStarts(of songStep: Int64, areLate: Bool) {
        let begun = unsafe begun.elements
        starts.remove { start in
            let turn = unsafe begun[start.track * noteCount + start.number]
            return start.songStep == songStep && turn != songStep
        }
        for track in 0..<trackCount {
            let (step, turn) = turn(of: track, at: songStep)
            for number in 0..<noteCount {
                let note = notes[track, number, step]
                guard note.isHead, areLate ? note[.nudge] > 0 : note[.nudge] < 0, !hasBegun(track, number, songStep),
                    note.plays(number, at: turn, by: settings.dice)
                else { continue }
                var start: PlannedStart? = start(of: note, number, on: track, step: step, songStep: songStep)
                while let late = start, startFrame(late) < frame { start = late.next }
                if let start { starts.add(start) }
            }
        }
    }

    /// The step of a track that a step of the song is, and what decides which of its notes play.
    private func turn(of track: Int, at songStep: Int64) -> (step: Int, turn: StepTurn) {
        let loop = loop(of: track)
        return (
            loop.step(at: songStep),
            StepTurn(
                track: track, count: songStep, pass: loop.pass(at: songStep), firstPass: firstPasses[track],
                isFilling: settings.isFilling)
        )
    }

    private func start(
        of note: Note, _ number: Int, on track: Int, step: Int, songStep: Int64
    ) -> PlannedStart {
        var start = PlannedStart(track: track, number: number, note: note, step: step, songStep: songStep)
        let grid = transport.clock.timing.grid
        // Swing makes some steps longer than others.
        let seconds = stepSeconds * (grid.position(of: songStep + 1) - grid.position(of: songStep))
        start.ratchet.count = note.startCount(stepSeconds: seconds)
        start.ratchet.partSeconds = seconds / Double(start.ratchet.count)
        start.place()
        return start
    }

    private func hasBegun(_ track: Int, _ number: Int, _ songStep: Int64) -> Bool {
        unsafe begun.elements[track * noteCount + number] == songStep
    }

    /// Carries out the first of the planned starts, unless its note has gone, was played by hand, or gives way.
    mutating func begin(_ start: PlannedStart, _ voices: inout VoiceSet) {
        starts.removeFirst()
        let (track, note) = (start.track, start.number)
        guard notes.isHead(track: track, note: note, step: start.step), !isOfLeavingSlot(start) else { return }
        if !hasBegun(track, note, start.songStep) {
            unsafe begun.elements[track * noteCount + note] = start.songStep
            if live.hasPlayed(track: track, note: note, songStep: start.songStep) { return }
        }
        if let next = start.next { starts.add(next) }
        if start.isMoved && givesWay(start) { return }
        live.lose(track: track, note: note)
        let sustainCount =
            voices.holdsNotes(of: track) ? notes.sustainCount(track: track, note: note, head: start.step) : 0
        held.start(
            track: track, note: note, head: start.step, sustainCount: sustainCount,
            stepsLate: Int(truncatingIfNeeded: start.placeStep - start.songStep), at: frame)
        let stroke = Stroke(
            isAccent: start.note.isAccent, stepSeconds: stepSeconds, sustainSteps: sustainCount,
            decibels: start.note[.level], ratchet: start.ratchet)
        voices.start(track: track, note: note, stroke, at: frame)
    }

    /// Whether a start announces a step with which another slot begins to play.
    private func isOfLeavingSlot(_ start: PlannedStart) -> Bool {
        start.placeStep < start.songStep
            && launches.isOther(start.track)
            && launches.isDue(start.track, with: start.songStep, in: transport.loop, isFirst: false)
    }

    /// Whether the same note of a later step starts on the same frame.
    private func givesWay(_ start: PlannedStart) -> Bool {
        var index = 0
        while let other = starts[index], startFrame(other) <= frame {
            if other.track == start.track && other.number == start.number && other.songStep > start.songStep {
                return true
            }
            index += 1
        }
        return false
    }
}
