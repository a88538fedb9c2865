import Music

// The notes that end, and the launches that take effect, with a step of the song.

extension Sequencer {
    /// Ends the notes and carries out the launches that are due with a step of the song.
    mutating func pass(
        _ songStep: Int64, _ output: inout EngineOutput
    ) {
        followTimes()
        let movesOn = startsAnew || hasMoved
        for track in 0..<trackCount where starts(track, with: songStep) {
            held.countStep(of: track)
            releaseNotes(of: track, &output)
        }
        joins = PerTrack(repeating: movesOn)
        launch(with: songStep, &output)
        for track in 0..<trackCount {
            counts[track] = times[track].count(at: songStep)
            if joins[track] { firstSteps[track] = songStep }
        }
        (startsAnew, hasMoved) = (false, false)
    }

    /// Carries out the launches that are due with a step, all at the same frame.
    private mutating func launch(
        with songStep: Int64, _ output: inout EngineOutput
    ) {
        for track in 0..<trackCount
        where launches.isDue(track, with: songStep, in: transport.loop, isFirst: startsAnew) {
            if launches.carryOut(track, at: output.time) {
                releaseSustained(track, &output)
                starts.forget(track)
                let time = played[track].time.time(in: transport.loop)
                if !time.hasSteps(of: times[track]) { live.forgetPlayed(on: track) }
                times[track] = time
                joins[track] = true
            }
            moveTone(of: track, &output)
            output.notices.push(.launch(track: Int32(truncatingIfNeeded: track), launches.done[track]))
        }
    }

    /// Releases the notes that an edit shortened and that end now.
    mutating func releaseNotes(of track: Int, _ output: inout EngineOutput) {
        for note in 0..<noteCount where held.fetchReleased(track: track, note: note) {
            output.voices.fade(track: track, note: note, at: frame)
        }
    }

    /// Releases the notes of the slot that a track has played: sustains end, others ring out.
    private mutating func releaseSustained(_ track: Int, _ output: inout EngineOutput) {
        for note in 0..<noteCount {
            guard let start = held.fetchSustained(track: track, note: note) else { continue }
            output.voices.release(track: track, note: note, heldSince: start, at: frame)
        }
    }
}
