import Engine
import Glibc
import Music
import Rendering

extension Session {
    /// Notices of the audio thread that were lost, because nobody took them in time.
    public var droppedNotices: Int { Int(clamping: engine.droppedNotices) }

    /// What became of MIDI messages that were not dealt with at once.
    public var midiFigures: MidiFigures { MidiFigures(engine.midiCounts) }

    /// Tells whether anybody is shown what is heard, at the time. While nobody is, the audio thread is seldom looked at.
    public func setWatched(_ isWatched: Bool) {
        guard isWatched != self.isWatched else { return }
        self.isWatched = isWatched
        listening.hurry()
    }

    /// Takes what the audio thread told while nobody watched: somebody asks for it.
    public func catchUp(to now: Duration) {
        guard !isWatched else { return }
        listening.hurry()
        listen(at: now)
    }

    /// Takes what the audio thread has to tell, if it is time to look.
    func listen(at now: Duration) {
        guard listening.isDue(at: now) else { return }
        if owesTransport { settleTransport(at: now) }
        takeArrivals(at: now)
        takeNotices(at: now)
        if mayBeMoved { followReport(at: now) }
        while let heard = listening.nextHeard(at: now) {
            switch heard {
            case .step(let step): follow(step)
            case .launches(let launches): land(launches, at: now)
            }
        }
        settleLaunches(at: now)
        let peaks = Track.allCases.map { 20 * log10(Double(engine.takePeak(track: $0.rawValue))) }
        if meters.update(with: peaks, at: now) {
            scene.levels = meters.levels
            sceneChanged()
        }
        tellScope()
        let holdsOldSamples = releaseSamples()
        let isBusy =
            transport.state == .playing || owesTransport || meters.isDecaying || isScopeWanted || mayBeMoved
            || holdsOldSamples || audio.hasMidiInput
        let isImpatient = owesTransport || isScopeWanted || isRecording || midi.isLively(at: now)
        listening.schedule(
            isBusy: isBusy, isWatched: isWatched || audio.hasMidiInput, isImpatient: isImpatient,
            unwatchedFor: launches.isEmpty ? nil : loopDuration / 2, at: now)
    }

    /// How long a loop takes. A chain's next link has to be published while the one before it plays.
    private var loopDuration: Duration { .seconds(Double(document.pattern.length) * 15 / sync.bpm) }

    /// The clock decides whether it runs and where it is; the session shows that, once no command is on its way that may
    /// change it.
    private func takeNotices(at now: Duration) {
        let isSettled = engine.isSettled
        while let notice = engine.nextNotice() {
            switch notice {
            case .step(let step, let frame, let usecs, let notes, let songStep):
                listening.add(
                    Listening.Step(step: Int(step), songStep: Int(songStep), frame: frame, usecs: usecs, notes: notes),
                    at: now)
            case .launch(let track, let slot, let number, let frame, let usecs):
                guard let track = Track(rawValue: Int(track)) else { continue }
                listening.add(
                    Listening.Launch(slot: Slot(track, Int(slot)), number: number, frame: frame, usecs: usecs), at: now)
            case .transport(let state, let step):
                // Playing may go on by now: the steps that were cut off must not pass for its own.
                if state != .playing { listening.forgetNotices() }
                toldTransport = TransportStatus(state: TransportStatus.State(state), step: Int(step))
            case .played(let track, let note): notePlayed(Int(note), on: Int(track))
            case .recorded(let note): write(note, at: now)
            }
        }
        // Without a driver it is we who remember: the engine is told when there is one again, and answers.
        guard isSettled, audio.state == .running, let told = toldTransport else { return }
        toldTransport = nil
        guard told != transport else { return }
        transport = told
        showTransport()
    }

    /// Shows a step that is heard now.
    private func follow(_ step: Listening.Step) {
        guard transport.state == .playing else { return }
        transport.step = step.step
        listening.expectStep(at: step.heardAt + document.pattern.duration(ofStep: step.step, bpm: sync.bpm))
        scene.playhead = Playhead(step: step.step, songStep: step.songStep, startedAt: step.heardAt)
        let notes = Track.allCases.map { StepNotes(bits: step.notes[$0.rawValue]) }
        scene.pulse = Pulse(step: step.step, notes: notes, startedAt: step.heardAt)
        stateChanged()
        emit(.step(step: step.step, frame: step.frame, usecs: step.usecs))
    }
}

extension Pattern {
    /// From the start of a step to that of the next one.
    fileprivate func duration(ofStep step: Int, bpm: Double) -> Duration {
        func delay(_ step: Int) -> Double { step.isMultiple(of: 2) ? 0 : 2 * swing - 1 }
        let steps = 1 + delay((step + 1) % length) - delay(step)
        return .seconds(steps * 15 / bpm)
    }
}

extension TransportStatus.State {
    init(_ state: RtTransport) {
        switch state {
        case .stopped: self = .stopped
        case .playing: self = .playing
        case .paused: self = .paused
        }
    }
}
