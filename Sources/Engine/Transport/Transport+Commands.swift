extension Transport {
    /// Starts the music; where JACK's transport drives, that of everyone.
    @_noLocks @_noAllocation
    mutating func play(at frame: Int64) {
        switch driver {
        case .own: startAlone(at: frame)
        case .jack: request.add(.starting)
        case .midi: playWithTicks(at: frame)
        case .timeline: awaitQuantum()
        }
    }

    @_noLocks @_noAllocation
    private mutating func startAlone(at frame: Int64) {
        guard !isPlaying else { return }
        state = .playing
        clock.start(at: frame)
        hasJumped = true
        hasMoved = true
    }

    /// Joins ticks that run on their next beat; lets those that do not run count from their next one; waits for a Start
    /// where there are none.
    @_noLocks @_noAllocation
    private mutating func playWithTicks(at frame: Int64) {
        guard !isPlaying else { return }
        guard midi.isPresent(at: frame) else { return awaitTick() }
        guard midi.isRunning else {
            midi.run()
            return awaitTick()
        }
        ignoresTicks = false
        let course = midi.course(at: frame)
        self.course = course
        jump(to: course, at: frame, first: ceiling(heard(course).position / 4) * 4)
    }

    /// Stands, and waits for no source.
    @_noLocks @_noAllocation
    private mutating func halt(_ stopped: RtTransport) {
        forgetStarts()
        isCut = true
        state = stopped
        hasMoved = true
    }

    /// Starts with no source that was to start the music, or to take over music that plays.
    @_noLocks @_noAllocation
    mutating func forgetStarts() {
        awaitsTick = false
        joinsFrom = nil
        takeover = nil
    }

    /// Stops alone, whatever the ticks do, until they start anew or we play.
    @_noLocks @_noAllocation
    private mutating func leaveTicks(_ stopped: RtTransport) {
        ignoresTicks = true
        halt(stopped)
    }

    /// Stops alone, whatever the timeline's holder says of starts, until they say it anew or we play.
    @_noLocks @_noAllocation
    mutating func leaveTimeline(_ stopped: RtTransport) {
        timeline.overrule()
        halt(stopped)
    }

    /// Asks JACK's transport to stop; music that was to wait for it to roll waits no longer.
    @_noLocks @_noAllocation
    private mutating func leaveTransport() {
        awaitsRolling = false
        request.add(.stopping)
    }

    /// Stays where it is; the step that is cut off is played again from its start.
    @_noLocks @_noAllocation
    mutating func pause() {
        switch driver {
        case .own: suspend()
        case .jack: leaveTransport()
        case .midi: if isPlaying { leaveTicks(.paused) }
        case .timeline: if isPlaying { leaveTimeline(.paused) }
        }
    }

    /// Goes back to the song's start; cuts off what sounds in any state, which may be auditions.
    @_noLocks @_noAllocation
    mutating func stop() {
        if isOwn {
            isCut = true
            return finish()
        }
        if isMidi {
            clock.move(to: 0)
            return leaveTicks(.stopped)
        }
        if isTimeline {
            clock.move(to: 0)
            return leaveTimeline(.stopped)
        }
        leaveTransport()
        locateOutside(to: 0, from: course)
        if !isPlaying { isCut = true }
    }

    /// Goes to a step, modulo the length, and makes it the song's.
    @_noLocks @_noAllocation
    mutating func locate(_ step: Int, at frame: Int64) {
        let target = Int64(max(0, step) % clock.timing.length)
        if isMidi || isTimeline { return }
        guard isOwn else { return locateOutside(to: Double(target), from: course) }
        clock.move(to: target)
        if isPlaying {
            isCut = true
            hasJumped = true
            clock.start(at: frame)
        }
        hasMoved = true
    }

    // MARK: Of nobody else's concern

    /// Goes back to the song's start and lets what sounds ring out.
    @_noLocks @_noAllocation
    mutating func finish() {
        guard !isStopped || clock.step != 0 else { return }
        forgetStarts()
        state = .stopped
        clock.move(to: 0)
        hasMoved = true
    }

    /// Pauses, unless somebody else says how things are.
    @_noLocks @_noAllocation
    mutating func suspend() {
        guard isOwn || isTimeline, isPlaying else { return }
        halt(.paused)
    }

    /// Takes up the music as it was before the driver was lost, unless somebody else says how it is.
    @_noLocks @_noAllocation
    mutating func restore(_ state: RtTransport, step: Int, at frame: Int64) {
        // A timeline's start that has come meanwhile stays.
        guard isOwn || isTimeline && joinsFrom == nil else { return }
        if case .stopped = state { stop() }
        locate(step, at: frame)
        if case .playing = state { play(at: frame) }
    }

    /// Stops for good: the program ends.
    @_noLocks @_noAllocation
    mutating func end() {
        isEnding = true
        driver = .own
        takeover = nil
        stop()
    }

    /// Tells the state although nothing may have come of a command: whoever asked goes by what is told.
    @_noLocks @_noAllocation
    mutating func answer() { hasMoved = true }
}

extension TransportRequest {
    fileprivate static var starting: TransportRequest {
        @_noLocks @_noAllocation get {
            var request = TransportRequest()
            request.start = true
            return request
        }
    }

    fileprivate static var stopping: TransportRequest {
        @_noLocks @_noAllocation get {
            var request = TransportRequest()
            request.stop = true
            return request
        }
    }
}
