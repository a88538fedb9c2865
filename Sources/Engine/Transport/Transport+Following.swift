extension Transport {
    /// How fast an error is taken back: a part of it for each step, and never by more than this part of the tempo.
    private static var haste: Double {
        @_noLocks @_noAllocation get { 0.75 }
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
        let jackCourse = jack.course(of: cycle, bpm: ownBpm)
        takeover = nil
        if isEnding { return }
        correctionFrames = Double(cycle.frameCount)
        let timelineCourse = timeline.course(at: Int64(cycle.startUsecs))
        if isTimeline && !timeline.isPresent {
            keep(course.bpm)
            driveOurselves(at: frame)
        }
        if isMidi && !ignoresTicks && !awaitsTick && midi.isRunning && midi.isSilent(at: frame) { loseTicks(at: frame) }
        let courses = Courses(jack: jackCourse, midi: midi.course(at: frame), timeline: timelineCourse)
        choose(courses, frameCount: cycle.frameCount, at: frame)
        if outside.isOurs { tellTempo(jackCourse) }
        switch driver {
        case .jack: follow(jackCourse, at: frame)
        case .timeline: followTimeline(timelineCourse, in: cycle, at: frame)
        case .own, .midi: break
        }
    }

    /// Takes a message of the MIDI input.
    @_noLocks @_noAllocation
    mutating func receive(_ event: MidiEvent, at frame: Int64) {
        let consequence = midi.take(event, at: frame)
        guard isMidi else { return }
        switch consequence {
        case .nothing: if midi.isPresent(at: frame) { course.bpm = midi.bpm }
        case .tick: if !ignoresTicks { followTick(at: frame) }
        case .start: awaitTick()
        case .stop: if !ignoresTicks { stand(at: midi.course(at: frame)) }
        }
    }

    /// Plays, but stands until the next tick, which tells where.
    @_noLocks @_noAllocation
    mutating func awaitTick() {
        ignoresTicks = false
        if runs { isCut = true }
        state = .playing
        awaitsTick = true
        hasMoved = true
    }

    @_noLocks @_noAllocation
    private mutating func followTick(at frame: Int64) {
        let isFirst = awaitsTick
        awaitsTick = false
        // A first tick has no speed yet.
        var course = midi.course(at: frame)
        if !midi.isPresent(at: frame) { course.bpm = bpm }
        correctionFrames = settings.stepFrames(bpm: course.bpm) / 6
        if isFirst { course.position = midi.tickPosition }
        self.course = course
        if isFirst {
            jump(to: course, at: frame)
        } else if midi.isYoung && abs(heard(course).lead(over: clock.position(at: frame))) < 0.5 {
            retime(bpm: course.bpm, at: frame)
            clock.correct(to: heard(course).position, at: frame)
        } else {
            follow(course, at: frame)
        }
    }

    /// The music goes on alone until the clock starts anew.
    @_noLocks @_noAllocation
    private mutating func loseTicks(at frame: Int64) {
        midi.lose()
        ignoresTicks = true
        guard isPlaying else { return }
        keep(course.bpm)
        awaitsTick = false
        retime(bpm: ownBpm, at: frame)
    }

    /// Lets another source take over if this is its frame.
    @_noLocks @_noAllocation
    mutating func reach(_ frame: Int64) {
        guard let takeover, takeover.frame <= frame else { return }
        self.takeover = nil
        driver = takeover.driver
        if isTimeline { timeline.join() }
        ignoresTicks = false
        if joinsFrom != nil {
            joinsFrom = nil
            jump(to: takeover.course, at: frame)
        } else {
            follow(takeover.course, at: frame)
        }
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
    private mutating func choose(_ courses: Courses, frameCount: Int, at frame: Int64) {
        let wanted = wantedDriver(courses, at: frame)
        if wanted.isSame(as: driver) { return }
        if case .own = wanted { return driveOurselves(at: frame) }
        let course = courses[wanted]
        if runs && isAutomatic && course.isRunning {
            return schedule(wanted, course, frameCount: frameCount, at: frame)
        }
        let wasWaiting = stopWaiting()
        driver = wanted
        switch wanted {
        case .own: break
        case .jack:
            awaitsRolling = isPlaying && outside.isOurs && !outside.isRolling
            if awaitsRolling { join(courses.jack, at: frame) }
        case .midi:
            self.course = course
            if !midi.isPresent(at: frame) { self.course.bpm = ownBpm }
            ignoresTicks = !course.isRunning
            if course.isRunning { follow(self.course, at: frame) }
        case .timeline: timeline.join()
        }
        if wasWaiting { play(at: frame) }
    }

    /// Waits for the present source no longer.
    ///
    /// - Returns: Whether the music waited, and has to be played anew for the next source.
    @_noLocks @_noAllocation
    private mutating func stopWaiting() -> Bool {
        let wasWaiting = isWaiting && isPlaying
        if wasWaiting { state = .paused }
        forgetStarts()
        return wasWaiting
    }

    private var isAutomatic: Bool {
        @_noLocks @_noAllocation get { if case .automatic = settings.sync.source { true } else { false } }
    }

    @_noLocks @_noAllocation
    private func wantedDriver(_ courses: Courses, at frame: Int64) -> FollowedSource {
        switch settings.sync.source {
        case .own: return leads ? .jack : .own
        case .jack: return .jack
        case .midi: return .midi
        case .timeline: return timeline.isPresent ? .timeline : leads ? .jack : .own
        case .automatic:
            // A transport that rolls without a master is ours if we lead it, or will be.
            let hasJack = jack.hasMaster || outside.isRolling && !settings.sync.leadsJack
            if hasJack && canJoin(.jack, courses) { return .jack }
            // Not what comes back of our own clock.
            let hasMidi = midi.isPresent(at: frame) && !settings.sync.leadsMidi
            if hasMidi && canJoin(.midi, courses) { return .midi }
            if timeline.isPresent { return .timeline }
            return leads ? .jack : .own
        }
    }

    /// Whether a source that is present may drive: music that runs does not wait for one that stands, unless that one has
    /// just stopped it.
    @_noLocks @_noAllocation
    private func canJoin(_ source: FollowedSource, _ courses: Courses) -> Bool {
        !runs || courses[source].isRunning || source.isSame(as: driver)
    }

    /// Whether JACK's timebase is ours, and to stay so: one that is about to be given back starts nothing any more.
    private var leads: Bool {
        @_noLocks @_noAllocation get { outside.isOurs && settings.sync.leadsJack }
    }

    /// Goes on by our own clock from where the music is. A driver that says so stops it first.
    @_noLocks @_noAllocation
    private mutating func driveOurselves(at frame: Int64) {
        if case .jack = driver, isAutomatic, !outside.isRolling { stand(at: course) }
        let wasWaiting = stopWaiting()
        awaitsRolling = false
        driver = .own
        retime(bpm: ownBpm, at: frame)
        if wasWaiting { play(at: frame) }
    }

    /// Sets when a source that runs takes over, if its next beat lies in this cycle.
    @_noLocks @_noAllocation
    private mutating func schedule(_ source: FollowedSource, _ course: Course, frameCount: Int, at frame: Int64) {
        let stepFrames = settings.stepFrames(bpm: course.bpm)
        let position = heard(course).position
        let beat = ceiling((position - 0.5 / stepFrames) / 4)
        let distance = max(0, (Double(beat) * 4 - position) * stepFrames)
        guard distance + 0.5 < Double(frameCount) else { return }
        let frames = Int64(distance + 0.5)
        takeover = Takeover(
            frame: frame + frames, driver: source, course: course.later(by: frames, stepFrames: stepFrames))
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
        guard course.isRunning else { return stand(at: course) }
        let lead = isPlaying ? heard(course).lead(over: clock.position(at: frame)) : .infinity
        lastLead = abs(lead)
        let isFar = abs(lead) > 0.5 || course.isRelocated && abs(lead) * clock.timing.stepFrames > 1
        if isFar || !clock.countsFromSongStart {
            jump(to: course, at: frame)
        } else {
            steer(by: lead, course, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func jump(to course: Course, at frame: Int64, first: Int64 = .min) {
        if isPlaying { isCut = true }
        hasJumped = true
        state = .playing
        clock.retime(settings.timing(bpm: course.bpm))
        clock.start(from: heard(course).position, at: frame, since: course.position, first: first)
        lastLead = 0
        hasMoved = true
    }

    @_noLocks @_noAllocation
    private mutating func steer(by lead: Double, _ course: Course, at frame: Int64) {
        // What is not to be heard by far is left alone, so that the clock keeps its anchor.
        let isExact = abs(lead) * clock.timing.stepFrames < 0.001
        let haste = min(Transport.haste, 0.5 * clock.timing.stepFrames / correctionFrames)
        let wanted = isExact ? 0 : lead * haste
        let correction = max(-Transport.greatestCorrection, min(Transport.greatestCorrection, wanted))
        retime(bpm: course.bpm * (1 + correction), at: frame)
    }

    /// Stops where a source says that the music is.
    @_noLocks @_noAllocation
    private mutating func stand(at course: Course) {
        self.course = course
        let step = (clock.step, isPlaying, isStopped)
        if isPlaying { isCut = true }
        awaitsTick = false
        state = course.position > 0 ? .paused : .stopped
        clock.move(to: floor(max(0, course.position)))
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

/// What the sources outside say with a cycle's first frame.
private struct Courses: BitwiseCopyable {
    var jack: Course
    var midi: Course
    var timeline: Course

    @_noLocks @_noAllocation
    init(jack: Course, midi: Course, timeline: Course) {
        self.jack = jack
        self.midi = midi
        self.timeline = timeline
    }

    /// What a source says that is not our own.
    subscript(source: FollowedSource) -> Course {
        @_noLocks @_noAllocation get {
            switch source {
            case .own, .jack: jack
            case .midi: midi
            case .timeline: timeline
            }
        }
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
