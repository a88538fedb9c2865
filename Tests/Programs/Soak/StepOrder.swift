import Instrument
import Music
import PixelBoopClient
import Wire

/// Whether each step that is heard follows the previous one: none twice, none left out.
///
/// Events that move the music are no faults: a start, a stop, another length, another source of time, JACK's return.
/// Steps and the state are published independently, so a jump is judged only when the steps after it are known, too.
struct StepOrder {
    /// A step that does not follow the previous one.
    private struct Jump {
        var fault: String
        /// From the previous step, in JACK's time in µs.
        var time: ClosedRange<UInt64>
        var following: SyncSource
        /// Steps since the last change of course.
        var number: Int
    }

    /// Steps after a change of course that need not follow one another.
    private static let grace = 4

    /// Steps that followed the previous one as they must.
    private(set) var inOrder = 0
    /// Jumps that the followed source explains.
    private(set) var excused = 0
    /// Jumps without a reason.
    var faults: [String] { jumps.map(\.fault) }
    private var jumps: [Jump] = []
    private var course: SoakCourse?
    private var last: StepEvent?
    private var sinceChange = 0
    private var suspicion: Jump?

    mutating func add(_ state: InstrumentState) {
        let course = SoakCourse(state)
        guard course != self.course else { return }
        (self.course, sinceChange, suspicion) = (course, 0, nil)
    }

    mutating func add(_ step: StepEvent) {
        defer { last = step }
        sinceChange += 1
        if let jump = suspicion, sinceChange >= jump.number + Self.grace {
            jumps.append(jump)
            suspicion = nil
        }
        guard let last, let course, let length = course.length, sinceChange > Self.grace else { return }
        if step.step == (last.step + 1) % Int(length) {
            inOrder += 1
        } else if suspicion == nil {
            suspicion = Jump(
                fault: "step \(step.step) after step \(last.step) of \(Int(length)), "
                    + "\((Int(step.usecs) - Int(last.usecs)) / 1000) ms later, following \(course.following.following.name)",
                time: min(last.usecs, step.usecs)...step.usecs, following: course.following.following,
                number: sinceChange)
        }
    }

    /// Excuses jumps along with the followed source.
    ///
    /// - Parameters:
    ///   - jumps: When that was relocated.
    ///   - stops: When the music was asked to stop: if it played on at once, no published state may show the stop.
    ///   - gaps: When periods were late: the music then catches up with the followed source, which did not wait.
    mutating func excuse(during jumps: Disturbances, stops: Disturbances, whileFollowing gaps: Disturbances) {
        let count = self.jumps.count
        self.jumps.removeAll {
            stops.touch($0.time) || $0.following != .own && (jumps.touch($0.time) || gaps.touch($0.time))
        }
        excused += count - self.jumps.count
    }
}
