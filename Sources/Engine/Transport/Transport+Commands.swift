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

    /// Stops alone, whatever the ticks do, until they start anew or we play.
    @_noLocks @_noAllocation
    private mutating func leaveTicks(_ stopped: RtTransport) {
        ignoresTicks = true
        awaitsTick = false
        isCut = true
        state = stopped
        hasMoved = true
    }

    /// Stays where it is; the step that is cut off is played again from its start.
    @_noLocks @_noAllocation
    mutating func pause() {
        switch driver {
        case .own: suspend()
        case .jack: request.add(.stopping)
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
        request.add(.stopping)
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
        state = .stopped
        clock.move(to: 0)
        hasMoved = true
    }

    /// Pauses, unless somebody else says how things are.
    @_noLocks @_noAllocation
    mutating func suspend() {
        guard isOwn || isTimeline, isPlaying else { return }
        joinsFrom = nil
        state = .paused
        isCut = true
        hasMoved = true
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
        stop()
    }
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
