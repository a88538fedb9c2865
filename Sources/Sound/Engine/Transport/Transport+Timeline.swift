import Instrument
import Music

// Following a timeline: its position and tempo are the holder's, starts and stops are ours.
extension Transport {
    /// Plays, but waits for the timeline's next multiple of the quantum.
    ///
    /// - Parameter usecs: The time in µs before which it must not start.
    mutating func awaitQuantum(from usecs: Int64 = .min) {
        timeline.overrule()
        guard !isPlaying else { return }
        state = .awaitingQuantum(from: usecs)
        hasMoved = true
    }

    /// Goes to the timeline's position at a cycle's first frame.
    mutating func followTimeline(_ course: Course, in cycle: RtCycle, at frame: Int64) {
        obeyTimeline(at: Int64(cycle.startUsecs))
        switch state {
        case .awaitingQuantum(let usecs):
            self.course = course
            scheduleJoin(course, from: usecs, in: cycle, at: frame)
        case .timeline(.playing): follow(course, at: frame)
        default:
            self.course = course
            retime(bpm: course.bpm, at: frame)
        }
    }

    private mutating func obeyTimeline(at usecs: Int64) {
        guard settings.sync.followsStarts else { return timeline.overrule() }
        switch timeline.fetchOrder(by: usecs) {
        case .nothing: break
        case .start(let usecs): awaitQuantum(from: usecs)
        case .stop: if isPlaying { stop() }
        }
    }

    /// Schedules the music to join, if the multiple of the quantum lies in this cycle.
    private mutating func scheduleJoin(_ course: Course, from usecs: Int64, in cycle: RtCycle, at frame: Int64) {
        let position = heard(course).position
        let stepFrames = settings.stepFrames(bpm: course.bpm)
        var earliest = position - 0.5 / stepFrames
        if usecs > .min {
            // A holder rounds a start on a multiple to µs, and its clock differs from ours.
            let start = heard(timeline.course(at: usecs)).position
            earliest = max(earliest, start - 0.001 * course.bpm / 15)
        }
        let quantum = 4 * (timeline.timeline?.quantum ?? settings.sync.quantum)
        let target = Double(ceiling(earliest / quantum)) * quantum
        let distance = max(0, (target - position) * stepFrames)
        guard distance + 0.5 < Double(cycle.frameCount) else { return }
        let frames = Int64(distance + 0.5)
        takeover = Takeover(
            frame: frame + frames, source: .timeline, course: course.later(by: frames, stepFrames: stepFrames))
    }

    /// A source's course shifted by the offset, so that it is heard in step.
    func heard(_ course: Course) -> Course {
        var course = course
        course.position -= settings.sync.offsetIn * course.bpm / 15
        return course
    }
}
