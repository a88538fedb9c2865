import Instrument
import Music

// Which source drives the clock.

extension Transport {
    /// Chooses what drives the clock. A source that is named in the settings does so at once; one that is chosen
    /// automatically takes over on its next beat while music plays.
    mutating func choose(_ courses: Courses, frameCount: Int, at frame: Int64) {
        let wanted = wantedDriver(courses, at: frame)
        if wanted == state.source { return }
        if wanted == .own { return driveOurselves(at: frame) }
        let course = courses[wanted]
        if runs && isAutomatic && course.isRunning {
            return schedule(wanted, course, frameCount: frameCount, at: frame)
        }
        let wasWaiting = stopWaiting(at: frame)
        state = TransportState(followed: wanted, state.playState)
        switch wanted {
        case .own, .automatic: break
        case .jack:
            guard isPlaying && outside.isOurs && !outside.isRolling else { break }
            state = .startingJack
            join(courses.jack, at: frame)
        case .midi:
            self.course = course
            if !midi.isPresent(at: frame) { self.course.bpm = ownBpm }
            if !course.isRunning || staysStopped {
                state = .ignoringTicks(state.playState)
            } else if midi.isFirst {
                awaitTick()
            } else {
                follow(self.course, at: frame)
            }
        case .timeline: timeline.join()
        }
        if wasWaiting { play(at: frame) }
    }

    /// Stops waiting for the current source.
    ///
    /// - Returns: Whether the music waited, and must be started again for the next source.
    private mutating func stopWaiting(at frame: Int64) -> Bool {
        takeover = nil
        guard state.isWaiting else { return false }
        // A MIDI clock that sent Start and then nothing does not make us play alone.
        let isForsaken = state.source == .midi && midi.isStarted && midi.hasDied(at: frame)
        state = state.moved(to: isForsaken && clock.songStep == 0 ? .stopped : .paused)
        if isForsaken {
            midi.lose()
            hasMoved = true
        }
        return !isForsaken
    }

    /// Notes that music that plays is being stopped: what was scheduled, and what a timeline ordered while `auto` followed
    /// another source, does not start it again.
    mutating func noteHalt() {
        guard isPlaying else { return }
        wasHalted = true
        takeover = nil
        if isAutomatic { timeline.overrule() }
    }

    /// Whether music that was stopped must not start merely because a source that runs comes to drive it, without being
    /// named in the settings.
    var staysStopped: Bool {
        wasHalted && !isPlaying && settings.sync.source != .jack && settings.sync.source != .midi
    }

    private var isAutomatic: Bool { settings.sync.source == .automatic }

    private func wantedDriver(_ courses: Courses, at frame: Int64) -> SyncSource {
        switch settings.sync.source {
        case .own: return leads ? .jack : .own
        case .jack: return .jack
        case .midi: return .midi
        case .timeline: return timeline.isPresent ? .timeline : leads ? .jack : .own
        case .automatic:
            if hasJack && canJoin(.jack, courses) { return .jack }
            // A clock that has just started us may not have ticked enough for a tempo.
            let isBeginning = state.source == .midi && midi.isStarted && !midi.hasDied(at: frame)
            let hasMidi = (midi.isPresent(at: frame) || isBeginning) && mayFollowMidi
            if hasMidi && canJoin(.midi, courses) { return .midi }
            if timeline.isPresent { return .timeline }
            return leads ? .jack : .own
        }
    }

    /// A transport that rolls without a master is ours if we lead it, or are about to.
    private var hasJack: Bool { jack.hasMaster || outside.isRolling && !settings.sync.leadsJack }

    /// The ticks may be our own clock's, coming back.
    private var mayFollowMidi: Bool { !settings.sync.leadsMidi }

    /// Whether Start from a MIDI clock that is not followed starts the music: many clocks tick only while they play.
    var startsWithMidi: Bool { isAutomatic && !isPlaying && !hasJack && mayFollowMidi }

    /// Whether a source that is present may drive: one that has stopped does not stop running music, unless it was
    /// driving.
    private func canJoin(_ source: SyncSource, _ courses: Courses) -> Bool {
        !runs || courses[source].isRunning || source == state.source
    }

    /// Whether JACK's timebase is ours and stays so.
    private var leads: Bool { outside.isOurs && settings.sync.leadsJack }

    /// Continues with our own clock from where the music is. If JACK's transport has stopped, the music stops first.
    mutating func driveOurselves(at frame: Int64) {
        if state.source == .jack, isAutomatic, !outside.isRolling { stand(at: course) }
        let wasWaiting = stopWaiting(at: frame)
        state = .own(state.playState)
        retime(bpm: ownBpm, at: frame)
        if wasWaiting { play(at: frame) }
    }

    /// Schedules the takeover by a running source, if its next beat lies in this cycle.
    private mutating func schedule(_ source: SyncSource, _ course: Course, frameCount: Int, at frame: Int64) {
        let stepFrames = settings.stepFrames(bpm: course.bpm)
        let position = heard(course).position
        let beat = ceiling((position - 0.5 / stepFrames) / 4)
        let distance = max(0, (Double(beat) * 4 - position) * stepFrames)
        guard distance + 0.5 < Double(frameCount) else { return }
        let frames = Int64(distance + 0.5)
        takeover = Takeover(
            frame: frame + frames, source: source, course: course.later(by: frames, stepFrames: stepFrames))
    }

    /// Asks JACK's transport to roll along with music that plays.
    private mutating func join(_ course: Course, at frame: Int64) {
        request.start = true
        locateOutside(to: clock.position(at: frame), from: course)
    }
}

/// The positions of the outside sources at a cycle's first frame.
struct Courses: BitwiseCopyable {
    var jack: Course
    var midi: Course
    var timeline: Course

    subscript(source: SyncSource) -> Course {
        get {
            switch source {
            case .own, .automatic, .jack: jack
            case .midi: midi
            case .timeline: timeline
            }
        }
    }
}
