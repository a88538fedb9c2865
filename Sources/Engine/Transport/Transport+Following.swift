extension Transport {
    /// How fast an error is taken back: a part of it for each step, and never by more than this part of the tempo.
    private static var haste: Double {
        @_noLocks @_noAllocation get { 0.25 }
    }

    private static var greatestCorrection: Double {
        @_noLocks @_noAllocation get { 0.02 }
    }

    /// Takes what the outside says of a cycle, with its first frame.
    @_noLocks @_noAllocation
    mutating func begin(_ cycle: RtCycle, at frame: Int64) {
        outside = cycle.outside
        jack.takeMaster(of: outside, frameCount: cycle.frameCount)
        if case .jack = driver, jack.lostItsMaster, outside.isRolling { keep(course.bpm) }
        let jackCourse = jack.course(outside, frameCount: cycle.frameCount, bpm: ownBpm)
        takeover = nil
        if isEnding { return }
        choose(jackCourse, frameCount: cycle.frameCount, at: frame)
        if outside.isOurs { tellTempo(jackCourse) }
        if case .jack = driver { follow(jackCourse, at: frame) }
    }

    /// Lets another source take over if this is its frame.
    @_noLocks @_noAllocation
    mutating func reach(_ frame: Int64) {
        guard let takeover, takeover.frame <= frame else { return }
        self.takeover = nil
        driver = takeover.driver
        follow(takeover.course, at: frame)
    }

    /// Tells a new tempo while JACK's transport stands, when it asks for none: by going where it is.
    @_noLocks @_noAllocation
    private mutating func tellTempo(_ course: Course) {
        defer { toldBpm = course.bpm }
        guard !outside.isRolling && toldBpm != course.bpm && request.frame == nil else { return }
        request.frame = outside.frame
        request.bar = BarPosition(position: course.position, bpm: course.bpm)
    }

    // MARK: Whom to follow

    /// Chooses what drives the clock. What is named outright does so from now on; where the best one is sought it takes over
    /// music that plays on its next beat.
    @_noLocks @_noAllocation
    private mutating func choose(_ jackCourse: Course, frameCount: Int, at frame: Int64) {
        let wanted = wantedDriver
        if wanted.isSame(as: driver) { return }
        switch wanted {
        case .own: driveOurselves(at: frame)
        case .jack where isPlaying && isAutomatic: schedule(.jack, jackCourse, frameCount: frameCount, at: frame)
        case .jack:
            awaitsRolling = isPlaying && outside.isOurs && !outside.isRolling
            driver = .jack
            if awaitsRolling { join(jackCourse, at: frame) }
        }
    }

    private var isAutomatic: Bool {
        @_noLocks @_noAllocation get { if case .automatic = settings.sync.source { true } else { false } }
    }

    private var wantedDriver: FollowedSource {
        @_noLocks @_noAllocation get {
            switch settings.sync.source {
            case .own: outside.isOurs ? .jack : .own
            case .jack: .jack
            case .automatic: jack.hasMaster || outside.isRolling || outside.isOurs ? .jack : .own
            }
        }
    }

    /// Goes on by our own clock from where the music is. A driver that says so stops it first.
    @_noLocks @_noAllocation
    private mutating func driveOurselves(at frame: Int64) {
        if isAutomatic, !outside.isRolling { stand(at: course.position) }
        awaitsRolling = false
        driver = .own
        retime(bpm: ownBpm, at: frame)
    }

    /// Sets when a source takes over, if its next beat lies in this cycle. One that does not run has no next beat.
    @_noLocks @_noAllocation
    private mutating func schedule(_ source: FollowedSource, _ course: Course, frameCount: Int, at frame: Int64) {
        guard course.isRunning else { return }
        let stepFrames = settings.stepFrames(bpm: course.bpm)
        let beat = ceiling((course.position - 0.5 / stepFrames) / 4)
        let distance = max(0, (Double(beat) * 4 - course.position) * stepFrames)
        guard distance + 0.5 < Double(frameCount) else { return }
        takeover = Takeover(
            frame: frame + Int64(distance + 0.5), driver: source,
            course: Course(isRunning: true, position: Double(beat) * 4, slack: course.slack, bpm: course.bpm))
    }

    /// Asks JACK's transport to roll along with music that plays.
    @_noLocks @_noAllocation
    private mutating func join(_ course: Course, at frame: Int64) {
        request.start = true
        locateOutside(to: clock.position(at: frame), from: course)
    }

    /// Keeps a tempo whose source was lost.
    @_noLocks @_noAllocation
    private mutating func keep(_ bpm: Double) {
        let kept = KeptTempo(bpm: bpm, replacing: settings.bpm)
        self.kept = kept
        lastKeptBpm = kept.bpm
        lossCount &+= 1
    }

    // MARK: Following

    /// Goes where a source says it is with a frame: at once, or by playing faster or slower for a while.
    @_noLocks @_noAllocation
    mutating func follow(_ course: Course, at frame: Int64) {
        self.course = course
        if awaitsRolling {
            guard course.isRunning else { return retime(bpm: course.bpm, at: frame) }
            awaitsRolling = false
        }
        guard course.isRunning else { return stand(at: course.position) }
        let lead = isPlaying ? course.lead(over: clock.position(at: frame)) : .infinity
        lastLead = abs(lead)
        let isFar = abs(lead) > 0.5 || course.isRelocated && abs(lead) * clock.timing.stepFrames > 1
        if isFar || !clock.countsFromSongStart {
            jump(to: course, at: frame)
        } else {
            steer(by: lead, course, at: frame)
        }
    }

    @_noLocks @_noAllocation
    private mutating func jump(to course: Course, at frame: Int64) {
        if isPlaying { isCut = true }
        state = .playing
        clock.retime(settings.timing(bpm: course.bpm))
        clock.start(from: course.position, at: frame)
        lastLead = 0
        hasMoved = true
    }

    @_noLocks @_noAllocation
    private mutating func steer(by lead: Double, _ course: Course, at frame: Int64) {
        // What is not to be heard by far is left alone, so that the clock keeps its anchor.
        let isExact = abs(lead) * clock.timing.stepFrames < 0.001
        let wanted = isExact ? 0 : lead * Transport.haste
        let correction = max(-Transport.greatestCorrection, min(Transport.greatestCorrection, wanted))
        retime(bpm: course.bpm * (1 + correction), at: frame)
    }

    /// Stops where a source says that the music is.
    @_noLocks @_noAllocation
    private mutating func stand(at position: Double) {
        let step = (clock.step, isPlaying, isStopped)
        if isPlaying { isCut = true }
        state = position > 0 ? .paused : .stopped
        clock.move(to: floor(position))
        retime(bpm: course.bpm, at: 0)
        if step != (clock.step, isPlaying, isStopped) { hasMoved = true }
    }

    /// Asks JACK's transport to go to a song position.
    @_noLocks @_noAllocation
    mutating func locateOutside(to position: Double, from course: Course) {
        let frame = jack.frame(of: position, from: course, at: outside)
        request.frame = frame
        request.bar =
            outside.isOurs
            ? BarPosition(position: Double(frame) / settings.stepFrames(bpm: ownBpm), bpm: ownBpm) : nil
    }
}

// `rounded` may enter the runtime.

/// The greatest whole number that is not above another number, for numbers whose whole part fits 64 bits.
@_noLocks @_noAllocation
func floor(_ number: Double) -> Int64 {
    let whole = Int64(number)
    return Double(whole) > number ? whole - 1 : whole
}

/// The least whole number that is not below another number, for numbers whose whole part fits 64 bits.
@_noLocks @_noAllocation
func ceiling(_ number: Double) -> Int64 {
    let whole = Int64(number)
    return Double(whole) < number ? whole + 1 : whole
}
