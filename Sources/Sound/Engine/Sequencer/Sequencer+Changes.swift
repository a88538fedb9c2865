import Music

// Changes from the control thread, applied at the start of a period.

extension Sequencer {
    /// Plays another score from now on.
    mutating func apply(_ new: ScoreReader, _ output: inout EngineOutput) {
        let (silent, mutedDrums) = (settings.silent, settings.mutedDrums)
        score = new
        settings = ScoreSettings(score)
        let played = launches.playing
        launches.apply(score)
        // A load may set another slot to play.
        for track in 0..<trackCount where launches.playing[track] != played[track] {
            firstSteps[track] = transport.clock.songStep + 1
        }
        live.apply(score)
        output.voices.sender.echoes.apply(isCircular: score.isMidiCircular)
        live.fadeSilent(&output, at: frame)
        for drum in 0..<noteCount where settings.mutedDrums.contains(drum) && !mutedDrums.contains(drum) {
            fade(drum: drum, &output)
        }
        transport.apply(settings.transport(sampleRate: sampleRate), at: frame)
        settle(&output)
        followTimes()
        held.compare(with: self.played)
        for track in 0..<trackCount { releaseNotes(of: track, &output) }
        for track in 0..<trackCount where settings.isSilent(track) && !silent.contains(track) { starts.drop(of: track) }
        for track in 0..<trackCount where isInStep { replanStarts(on: track) }
    }

    /// Ends a drum that is muted now: what sounds of it fades, and its planned starts do not come.
    private mutating func fade(drum: Int, _ output: inout EngineOutput) {
        starts.drop(of: drumTrack, note: drum)
        held.forget(track: drumTrack, note: drum)
        output.voices.fade(track: drumTrack, note: drum, at: frame)
    }

    /// Carries out a command.
    mutating func perform(_ command: RtCommand, _ output: inout EngineOutput) {
        switch command {
        case .play: transport.play(at: frame)
        case .pause: transport.pause()
        case .stop: transport.stop()
        case .suspend: transport.suspend()
        case .restore(let state, let step): transport.restore(state, step, at: frame)
        case .silence: transport.end()
        case .finish:
            if transport.runs { endFrame = frame }
            starts.forgetAll()
            transport.finish()
        case .locate(let step): transport.locate(Int(step), at: frame)
        case .record(let isOn): return live.record(isOn, moment, &output)
        case .releaseKeys: return live.releaseAll(moment, &output)
        case .audition(let track, let notes, let velocity):
            return audition(Int(track), notes, isAccent: velocity == 2, &output)
        }
        transport.answer()
        settle(&output)
    }

    private mutating func audition(_ track: Int, _ notes: UInt16, isAccent: Bool, _ output: inout EngineOutput) {
        guard track >= 0 && track < trackCount && !settings.isSilent(track), !transport.hasEnded else { return }
        for note in 0..<noteCount
        where notes >> UInt16(truncatingIfNeeded: note) & 1 == 1 && !settings.isMuted(track, note) {
            held.forget(track: track, note: note)
            live.lose(track: track, note: note)
            let stroke = Stroke(isAccent: isAccent, stepSeconds: stepSeconds(of: track), sustainSteps: 0)
            output.voices.start(track: track, note: note, stroke, at: frame)
        }
    }
}
