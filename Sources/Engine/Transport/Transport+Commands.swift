extension Transport {
    /// Starts the music; where JACK's transport drives, that of everyone.
    @_noLocks @_noAllocation
    mutating func play(at frame: Int64) {
        guard isOwn else { return request.add(.starting) }
        guard !isPlaying else { return }
        state = .playing
        clock.start(at: frame)
        hasMoved = true
    }

    /// Stays where it is; the step that is cut off is played again from its start.
    @_noLocks @_noAllocation
    mutating func pause() {
        guard isOwn else { return request.add(.stopping) }
        suspend()
    }

    /// Goes back to the song's start; cuts off what sounds in any state, which may be auditions.
    @_noLocks @_noAllocation
    mutating func stop() {
        if isOwn {
            isCut = true
            return finish()
        }
        request.add(.stopping)
        locateOutside(to: 0, from: course)
        if !isPlaying { isCut = true }
    }

    /// Goes to a step, modulo the length, and makes it the song's.
    @_noLocks @_noAllocation
    mutating func locate(_ step: Int, at frame: Int64) {
        let target = Int64(max(0, step) % clock.timing.length)
        guard isOwn else { return locateOutside(to: Double(target), from: course) }
        clock.move(to: target)
        if isPlaying {
            isCut = true
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
        guard isOwn && isPlaying else { return }
        state = .paused
        isCut = true
        hasMoved = true
    }

    /// Takes up the music as it was before the driver was lost, unless somebody else says how it is.
    @_noLocks @_noAllocation
    mutating func restore(_ state: RtTransport, step: Int, at frame: Int64) {
        guard isOwn else { return }
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
