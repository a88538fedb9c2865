import Instrument
import Music

extension Transport {
    /// The part of an error that is corrected in each step, limited to a part of the tempo below.
    private static var haste: Double { 0.75 }

    private static var greatestCorrection: Double { 0.02 }

    /// Reads JACK's transport at a cycle's first frame.
    mutating func begin(_ cycle: RtCycle, at frame: Int64) {
        let cycle = jack.extend(cycle)
        outside = cycle.outside
        jack.readMaster(of: outside, frameCount: cycle.frameCount)
        if state.source == .jack, jack.lostItsMaster, outside.isRolling {
            losses.add(bpm: course.bpm, at: settings.tempoRevision)
        }
        let jackCourse = jack.course(of: cycle, bpm: ownBpm)
        takeover = nil
        if case .ended = state { return }
        if isPlaying || jackCourse.isBeginning { wasHalted = false }
        correctionFrames = Double(cycle.frameCount)
        let timelineCourse = timeline.course(at: Int64(cycle.startUsecs))
        if state.source == .timeline, !timeline.isPresent {
            losses.add(bpm: course.bpm, at: timeline.tempoRevision)
            driveOurselves(at: frame)
        }
        if midi.hasDied(at: frame) { missTicks(at: frame) }
        let courses = Courses(jack: jackCourse, midi: midi.course(at: frame), timeline: timelineCourse)
        choose(courses, frameCount: cycle.frameCount, at: frame)
        if outside.isOurs { publishTempo(jackCourse) }
        switch state.source {
        case .jack: follow(jackCourse, at: frame)
        case .timeline: followTimeline(timelineCourse, in: cycle, at: frame)
        case .own, .automatic, .midi: break
        }
    }

    /// Follows a message of the MIDI input.
    mutating func receive(_ event: MidiEvent, at frame: Int64) {
        let consequence = midi.follow(event, at: frame)
        switch (state, consequence) {
        case (.midi, .nothing), (.awaitingTick, .nothing), (.ignoringTicks, .nothing), (.ignoringTicks, .tick):
            guard midi.isPresent(at: frame) else { break }
            course.bpm = midi.bpm
            // While the music is stopped, nothing else sets the tempo of the clock that we send.
            if !runs { clock.timing.stepFrames = settings.stepFrames(bpm: bpm) }
        case (.midi, .tick): followTick(at: frame)
        case (.awaitingTick, .tick): startWithTick(at: frame)
        case (.midi, .start), (.awaitingTick, .start), (.ignoringTicks, .start): awaitTick()
        case (.midi, .stop), (.awaitingTick, .stop): stand(at: midi.course(at: frame))
        // The clock was lost, so its position is unknown.
        case (.ignoringTicks(.playing), .stop): pause()
        case (.own, .start), (.jack, .start), (.timeline, .start):
            guard startsWithMidi else { break }
            // The first tick alone gives no tempo.
            course.bpm = bpm
            awaitTick()
        default: break
        }
    }

    /// Plays, but waits for the next tick, which determines the position.
    mutating func awaitTick() {
        if runs { isCut = true }
        state = .awaitingTick
        hasMoved = true
    }

    /// Starts with the awaited tick, whose position is known by its count. A first tick gives no tempo yet.
    private mutating func startWithTick(at frame: Int64) {
        var course = midi.course(at: frame)
        if !midi.isPresent(at: frame) { course.bpm = bpm }
        course.position = midi.tickPosition
        course.isBeginning = true
        self.course = course
        jump(to: course, by: .midi, at: frame)
    }

    private mutating func followTick(at frame: Int64) {
        var course = midi.course(at: frame)
        if !midi.isPresent(at: frame) { course.bpm = bpm }
        correctionFrames = settings.stepFrames(bpm: course.bpm) / 6
        self.course = course
        let lead = heard(course).lead(over: clock.position(at: frame))
        // After a sudden drop of the tempo we are ahead when the next tick comes.
        if midi.isMoving && lead > -4 && lead < 0.5 {
            retime(bpm: course.bpm, at: frame)
            clock.correct(to: heard(course).position, at: frame)
            lastLead = 0
        } else {
            follow(course, at: frame)
        }
    }

    /// The music continues alone until the clock starts again.
    private mutating func loseTicks(_ motion: PlayState, at frame: Int64) {
        midi.lose()
        state = .ignoringTicks(motion)
        guard motion == .playing else { return }
        losses.add(bpm: course.bpm, at: settings.tempoRevision)
        retime(bpm: ownBpm, at: frame)
    }

    /// How many ticks were missed is unknown, so the MIDI clock's position is unknown until its next start.
    mutating func missTicks(at frame: Int64) {
        switch state {
        case .midi(let motion) where midi.isRunning: loseTicks(motion, at: frame)
        // The music begins with the next tick, whichever that is.
        case .awaitingTick: break
        case .own, .jack, .startingJack, .midi, .ignoringTicks, .timeline, .awaitingQuantum, .ended: midi.lose()
        }
    }

    /// Switches to another source, or starts the music with the timeline, if this is the frame for it.
    mutating func reach(_ frame: Int64) {
        guard let takeover, takeover.frame <= frame else { return }
        self.takeover = nil
        if takeover.source == .timeline { timeline.join() }
        if state.isWaiting { return jump(to: takeover.course, by: takeover.source, at: frame) }
        state = TransportState(followed: takeover.source, state.playState)
        follow(takeover.course, at: frame)
    }

    /// Publishes a new tempo while JACK's transport is stopped and does not ask for it, by locating to the current
    /// frame.
    private mutating func publishTempo(_ course: Course) {
        defer { publishedBpm = course.bpm }
        guard !outside.isRolling && publishedBpm != course.bpm && request.frame == nil else { return }
        request.frame = outside.frame
        request.bar = BarPosition(position: course.position, bpm: course.bpm)
    }

    // MARK: Following

    /// Follows a source's position at a frame, by jumping, or by playing faster or slower for a while.
    mutating func follow(_ course: Course, at frame: Int64) {
        self.course = course
        if case .startingJack = state {
            guard course.isRunning else { return retime(bpm: course.bpm, at: frame) }
            state = .jack(.playing)
        }
        guard course.isRunning else { return stand(at: course) }
        if staysStopped { return retime(bpm: course.bpm, at: frame) }
        let lead = isPlaying ? heard(course).lead(over: clock.position(at: frame)) : .infinity
        lastLead = abs(lead)
        let isFar = abs(lead) > 0.5 || course.isRelocated && abs(lead) * clock.timing.stepFrames > 1
        if isFar || loop.origin % Int64(loop.length) != 0 {
            jump(to: course, by: state.source, at: frame)
        } else {
            steer(by: lead, course, at: frame)
        }
    }

    /// Jumps to a source's position.
    ///
    /// - Parameter first: The first song step that may be played.
    mutating func jump(to course: Course, by source: SyncSource, at frame: Int64, first: Int64 = .min) {
        if isPlaying { isCut = true }
        sender.jump()
        state = TransportState(followed: source, .playing)
        clock.timing = settings.timing(bpm: course.bpm)
        // The offset may put us before the source's beginning, where nothing is played, or after it, where its first step
        // is late.
        let first = course.isBeginning ? max(first, clock.firstStep(from: course.position)) : first
        let earliest = course.isBeginning ? course.position : .infinity
        clock.start(from: heard(course).position, at: frame, since: earliest, first: first)
        lastLead = 0
        hasMoved = true
    }

    private mutating func steer(by lead: Double, _ course: Course, at frame: Int64) {
        // Errors far below audibility are left alone, so that the clock keeps its anchor.
        let isExact = abs(lead) * clock.timing.stepFrames < 0.001
        let haste = min(Transport.haste, 0.5 * clock.timing.stepFrames / correctionFrames)
        let wanted = isExact ? 0 : lead * haste
        let correction = max(-Transport.greatestCorrection, min(Transport.greatestCorrection, wanted))
        retime(bpm: course.bpm * (1 + correction), at: frame)
    }

    /// Stops at a source's position.
    mutating func stand(at course: Course) {
        self.course = course
        let before = (step, state.isPlaying, state.isStopped)
        noteHalt()
        if isPlaying { isCut = true }
        state = state.moved(to: course.position > 0 ? .paused : .stopped)
        move(to: floor(max(0, course.position)))
        retime(bpm: course.bpm, at: 0)
        if before != (step, state.isPlaying, state.isStopped) { hasMoved = true }
    }

    /// Asks JACK's transport to go to a song position.
    mutating func locateOutside(to position: Double, from course: Course) {
        let frame = jack.frame(of: position, from: course, at: outside)
        jack.expectRelocation(to: frame)
        request.frame = frame
        request.bar =
            outside.isOurs
            ? BarPosition(position: Double(frame) / settings.stepFrames(bpm: ownBpm), bpm: ownBpm) : nil
    }
}

// `rounded` may enter the runtime.

/// The greatest integer not above a number whose integer part fits 64 bits.
func floor(_ number: Double) -> Int64 {
    let whole = Int64(number)
    return Double(whole) > number ? whole - 1 : whole
}

/// The least integer not below a number whose integer part fits 64 bits.
func ceiling(_ number: Double) -> Int64 {
    let whole = Int64(number)
    return Double(whole) < number ? whole + 1 : whole
}
