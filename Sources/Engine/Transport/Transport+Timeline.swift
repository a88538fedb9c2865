// Following a timeline: its position and tempo are told, starts and stops are ours.
extension Transport {
    /// Whether a timeline drives.
    var isTimeline: Bool {
        @_noLocks @_noAllocation get { if case .timeline = driver { true } else { false } }
    }

    /// Plays, but stands until the timeline's next multiple of the quantum.
    ///
    /// - Parameter usecs: The time in µs before which it is not to start.
    @_noLocks @_noAllocation
    mutating func awaitQuantum(from usecs: Int64 = .min) {
        timeline.overrule()
        guard !isPlaying else { return }
        state = .playing
        joinsFrom = usecs
        hasMoved = true
    }

    /// Goes where the timeline is with a cycle's first frame.
    @_noLocks @_noAllocation
    mutating func followTimeline(_ course: Course, in cycle: RtCycle, at frame: Int64) {
        obeyTimeline(at: Int64(cycle.startUsecs))
        if joinsFrom != nil {
            self.course = course
            scheduleJoin(course, in: cycle, at: frame)
        } else if isPlaying {
            follow(course, at: frame)
        } else {
            self.course = course
            retime(bpm: course.bpm, at: frame)
        }
    }

    @_noLocks @_noAllocation
    private mutating func obeyTimeline(at usecs: Int64) {
        guard settings.sync.followsStarts else { return timeline.overrule() }
        switch timeline.takeOrder(by: usecs) {
        case .nothing: break
        case .start(let usecs): awaitQuantum(from: usecs)
        case .stop:
            guard isPlaying else { return }
            clock.move(to: 0)
            leaveTimeline(.stopped)
        }
    }

    /// Sets when the music joins in, if the multiple of the quantum lies in this cycle.
    @_noLocks @_noAllocation
    private mutating func scheduleJoin(_ course: Course, in cycle: RtCycle, at frame: Int64) {
        guard takeover == nil, let joinsFrom else { return }
        let position = heard(course).position
        let stepFrames = settings.stepFrames(bpm: course.bpm)
        var earliest = position - 0.5 / stepFrames
        if joinsFrom > .min {
            // Whoever starts on a multiple rounds it to µs, and knows it no better than clocks agree.
            let start = heard(timeline.course(at: joinsFrom)).position
            earliest = max(earliest, start - 0.001 * course.bpm / 15)
        }
        let quantum = 4 * (timeline.timeline?.quantum ?? settings.sync.quantum)
        let target = Double(ceiling(earliest / quantum)) * quantum
        let distance = max(0, (target - position) * stepFrames)
        guard distance + 0.5 < Double(cycle.frameCount) else { return }
        let frames = Int64(distance + 0.5)
        takeover = Takeover(
            frame: frame + frames, driver: .timeline, course: course.later(by: frames, stepFrames: stepFrames))
    }

    /// Where the music has to be for a source to be heard where it says: elsewhere by the offset.
    @_noLocks @_noAllocation
    func heard(_ course: Course) -> Course {
        var course = course
        course.position -= settings.sync.offsetIn * course.bpm / 15
        return course
    }
}
