import Instrument
import Music

extension Transport {
    /// Starts the music; if JACK's transport drives, starts it for all clients.
    mutating func play(at frame: Int64) {
        wasHalted = false
        switch state {
        case .jack, .startingJack: request.add(.starting)
        case .own where !isPlaying: startAlone(at: frame)
        case .midi where !isPlaying, .ignoringTicks where !isPlaying: playWithTicks(at: frame)
        case .timeline, .awaitingQuantum: awaitQuantum()
        case .own, .midi, .awaitingTick, .ignoringTicks, .ended: break
        }
    }

    /// Stops where it is; the interrupted step will be played again from its start.
    mutating func pause() {
        noteHalt()
        switch state {
        case .jack, .startingJack: leaveJack()
        case .own where isPlaying: halt(.own(.paused))
        case .midi where isPlaying, .ignoringTicks where isPlaying, .awaitingTick: halt(.ignoringTicks(.paused))
        case .timeline where isPlaying, .awaitingQuantum: leaveTimeline(.paused)
        case .own, .midi, .ignoringTicks, .timeline, .ended: break
        }
    }

    /// Goes back to the song's start; cuts off all sound in any state, as auditions may be sounding.
    mutating func stop() {
        noteHalt()
        switch state {
        case .own:
            isCut = true
            finish()
        case .jack, .startingJack:
            leaveJack()
            locateOutside(to: 0, from: course)
            if !isPlaying { isCut = true }
        case .midi, .awaitingTick, .ignoringTicks:
            midi.stop()
            move(to: 0)
            halt(.ignoringTicks(.stopped))
        case .timeline, .awaitingQuantum:
            move(to: 0)
            leaveTimeline(.stopped)
        case .ended: isCut = true
        }
    }

    /// Goes to this step of the song, modulo the length.
    mutating func locate(_ step: Int, at frame: Int64) {
        let target = Int64(max(0, step) % loop.length)
        switch state {
        case .own: go(to: target, at: frame)
        case .jack, .startingJack: locateOutside(to: Double(target), from: course)
        case .midi, .awaitingTick, .ignoringTicks, .timeline, .awaitingQuantum, .ended: break
        }
    }

    // MARK: Helpers

    private mutating func startAlone(at frame: Int64) {
        state = .own(.playing)
        start(at: frame)
        hasMoved = true
    }

    /// Goes to a step of the song on our own clock.
    private mutating func go(to songStep: Int64, loopFrom origin: Int64 = 0, at frame: Int64) {
        move(to: songStep, loopFrom: origin)
        if isPlaying {
            isCut = true
            start(at: frame)
        }
        hasMoved = true
    }

    /// Starts the clock's current step at a frame.
    private mutating func start(at frame: Int64) {
        clock.start(at: frame)
        sender.jump()
    }

    /// Joins running ticks on their next beat; starts with the next tick if they do not run, after a stop at the song's
    /// start; waits for a Start if there are none.
    private mutating func playWithTicks(at frame: Int64) {
        guard midi.isPresent(at: frame) else { return awaitTick() }
        guard midi.isRunning else {
            midi.play(anew: state.isStopped, at: frame)
            return awaitTick()
        }
        let course = midi.course(at: frame)
        self.course = course
        jump(to: course, by: .midi, at: frame, first: ceiling(heard(course).position / 4) * 4)
    }

    /// Stops, without waiting for a source.
    private mutating func halt(_ standing: TransportState) {
        takeover = nil
        isCut = true
        state = standing
        hasMoved = true
    }

    /// Stops on our own, whatever the timeline's holder ordered, until its next order or until we play.
    private mutating func leaveTimeline(_ stopped: PlayState) {
        timeline.overrule()
        halt(.timeline(stopped))
    }

    /// Asks JACK's transport to stop, and no longer waits for it to roll.
    private mutating func leaveJack() {
        state = .jack(state.playState)
        request.add(.stopping)
    }

    // MARK: Without asking the sources

    /// Goes back to the song's start and lets what sounds ring out.
    mutating func finish() {
        guard !state.isStopped || clock.songStep != 0 || loop.origin != 0 else { return }
        takeover = nil
        state = state.moved(to: .stopped)
        move(to: 0)
        hasMoved = true
    }

    /// Pauses, unless a source drives the music.
    mutating func suspend() {
        switch state {
        case .own(.playing), .timeline(.playing), .awaitingQuantum, .ignoringTicks(.playing):
            halt(state.moved(to: .paused))
        default: break
        }
    }

    /// Restores the music as it was before the driver was lost, unless another source drives it; a timeline's start
    /// that came meanwhile stays.
    mutating func restore(_ motion: PlayState, _ step: SongStep, at frame: Int64) {
        switch state {
        case .own, .timeline:
            if motion == .stopped { stop() }
            if state.source == .own { go(to: Int64(step.number), loopFrom: Int64(step.origin), at: frame) }
            if motion == .playing { play(at: frame) }
        // A MIDI clock is lost with the driver: the music continues alone.
        case .ignoringTicks(.paused) where motion == .playing:
            retime(bpm: ownBpm, at: frame)
            state = .ignoringTicks(.playing)
            go(to: Int64(step.number), loopFrom: Int64(step.origin), at: frame)
        case .awaitingTick where !midi.isStarted, .ignoringTicks:
            if motion == .stopped { stop() }
            if motion == .paused { pause() }
        default: break
        }
    }

    /// Stops for good: the program ends.
    mutating func end() {
        finish()
        isCut = true
        state = .ended
    }

    /// Reports the state even after a command without effect: the sender waits for the report.
    mutating func answer() { hasMoved = true }
}

extension OutsideRequest {
    fileprivate static var starting: OutsideRequest {
        var request = OutsideRequest()
        request.start = true
        return request
    }

    fileprivate static var stopping: OutsideRequest {
        var request = OutsideRequest()
        request.stop = true
        return request
    }
}
