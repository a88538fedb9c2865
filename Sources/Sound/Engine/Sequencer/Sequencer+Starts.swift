import Music

// Which notes start, and when: those of each step of a track, early ones with the step before.

extension Sequencer {
    /// The frame of a place in the song, if the timing stays.
    func frame(of place: SongPlace) -> Int64 {
        let clock = transport.clock
        return clock.frame(of: clock.timing.grid.position(of: place.songStep, part: place.part))
    }

    /// Plans the starts of a track's step, except the early ones, which have begun before it.
    ///
    /// - Returns: The notes that start with it or after it.
    mutating func planStarts(of count: Int64, on track: Int) -> StartedNotes {
        var started = StartedNotes()
        let home = times[track].place(of: count)
        guard home.songStep < settings.end else { return started }
        let (step, turn) = turn(of: track, at: count)
        let slot = played[track]
        for number in 0..<noteCount {
            let note = slot[number, step]
            guard note.isHead, note.plays(number, at: turn, by: settings.dice), note[.nudge] >= 0 || joins[track],
                !starts.hasBegun(track, number, at: count)
            else { continue }
            started.insert(number, isAccent: note.isAccent)
            var start = start(of: note, number, on: track, step: step, count: count, home: home)
            if note[.nudge] < 0 { start.placeOnStep(in: times[track]) }
            starts.add(start)
        }
        return started
    }

    /// Plans the early starts of a track's next step again, except those that are past.
    mutating func planEarlyStarts(on track: Int) {
        planMovedStarts(of: counts[track] + 1, on: track, areLate: false)
    }

    /// Plans again the remaining starts of a track's current step, and the early ones of the next.
    mutating func replanStarts(on track: Int) {
        planMovedStarts(of: counts[track], on: track, areLate: true)
        planEarlyStarts(on: track)
    }

    private mutating func planMovedStarts(of count: Int64, on track: Int, areLate: Bool) {
        starts.removeUnbegun(of: track, at: count)
        let home = times[track].place(of: count)
        guard home.songStep < settings.end else { return }
        let (step, turn) = turn(of: track, at: count)
        let slot = played[track]
        for number in 0..<noteCount {
            let note = slot[number, step]
            guard note.isHead, areLate ? note[.nudge] > 0 : note[.nudge] < 0,
                !starts.hasBegun(track, number, at: count), note.plays(number, at: turn, by: settings.dice)
            else { continue }
            var start: PlannedStart? = start(
                of: note, number, on: track, step: step, count: count, home: home)
            while let late = start, frame(of: late.place) < frame { start = late.next(in: times[track]) }
            if let start { starts.add(start) }
        }
    }

    /// Drops the starts that were due before the current frame.
    mutating func dropPastStarts() {
        while let start = starts.first, frame(of: start.place) < frame {
            starts.removeFirst()
            if let next = start.next(in: times[start.track]) { starts.add(next) }
        }
    }

    /// The slot's step for a track's count, and what decides which of its notes play.
    private func turn(of track: Int, at count: Int64) -> (step: Int, turn: StepTurn) {
        let time = times[track]
        return (
            time.step(of: count),
            StepTurn(
                track: track, count: count, pass: time.pass(of: count),
                firstPass: time.pass(of: time.count(at: firstSteps[track])), isFilling: settings.isFilling)
        )
    }

    private func start(
        of note: Note, _ number: Int, on track: Int, step: Int, count: Int64, home: SongPlace
    ) -> PlannedStart {
        var start = PlannedStart(track: track, number: number, note: note, step: step, count: count, place: home)
        guard note.hasValues else { return start }
        // Swing makes some steps longer than others.
        let seconds = stepSeconds * (position(of: count + 1, on: track) - position(of: count, on: track))
        start.ratchet.count = note.startCount(stepSeconds: seconds)
        start.ratchet.partSeconds = seconds / Double(start.ratchet.count)
        start.place(in: times[track])
        return start
    }

    /// The song position at which a step of a track starts.
    private func position(of count: Int64, on track: Int) -> Double {
        let place = times[track].place(of: count)
        return transport.clock.timing.grid.position(of: place.songStep, part: place.part)
    }

    /// Carries out the first of the planned starts, unless its note has gone, was played by hand, or gives way.
    mutating func begin(
        _ start: PlannedStart, _ output: inout EngineOutput
    ) {
        starts.removeFirst()
        let (track, note) = (start.track, start.number)
        guard played.isHead(track: track, note: note, step: start.step), !isOfLeavingSlot(start) else { return }
        if !starts.hasBegun(track, note, at: start.count) {
            starts.begin(start)
            if live.hasPlayed(track: track, note: note, count: start.count) { return }
            if start.isEarly { output.notices.push(.earlyNote(TrackStepNotice(start, at: output.time))) }
        }
        if let next = start.next(in: times[track]) { starts.add(next) }
        if start.isMoved && givesWay(start) { return }
        if settings.isMuted(track, note) { return }
        live.lose(track: track, note: note)
        let sustainCount =
            output.voices.isPitched(track) ? played.sustainCount(track: track, note: note, head: start.step) : 0
        held.start(
            track: track, note: note, head: start.step, sustainCount: sustainCount, stepsLate: start.stepsLate,
            at: frame)
        let stroke = Stroke(
            isAccent: start.note.isAccent, stepSeconds: stepSeconds(of: track), sustainSteps: sustainCount,
            decibels: start.note[.level], ratchet: start.ratchet, count: start.count)
        output.voices.start(track: track, note: note, stroke, at: frame)
    }

    /// Whether a start comes early for a step that another slot will play.
    private func isOfLeavingSlot(_ start: PlannedStart) -> Bool {
        guard launches.isOther(start.track) else { return false }
        let home = times[start.track].place(of: start.count).songStep
        var songStep = start.place.songStep + 1
        while songStep <= home {
            if launches.isDue(start.track, with: songStep, in: transport.loop, isFirst: false) { return true }
            songStep += 1
        }
        return false
    }

    /// Whether the same note of a later step starts on the same frame.
    private func givesWay(_ start: PlannedStart) -> Bool {
        guard let place = starts.place(after: start) else { return false }
        return frame(of: place) <= frame
    }
}
