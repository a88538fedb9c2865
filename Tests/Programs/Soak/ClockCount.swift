import Instrument
import Music
import Wire

/// Whether the MIDI clock that is sent has 24 ticks in each beat.
///
/// It is counted from an even step to the next one, which swing does not move. As in ``StepOrder`` a pair is judged
/// only when the steps after it are known, too.
struct ClockCount {
    private static let ticksPerPair = 12
    private static let grace = 4
    /// How far a tick may be from its step, in µs: less than half the distance to the next one at 300 BPM.
    private static let tolerance: UInt64 = 3000
    /// How long ticks are kept, in µs: longer than two steps and those after them take.
    private static let memory: UInt64 = 60_000_000

    /// From one even step to the next.
    private struct Pair {
        var time: ClosedRange<UInt64>
        var following: SyncSource
        /// Steps since the last change of course.
        var number: Int
    }

    /// Pairs of steps with the right number of ticks.
    private(set) var pairs = 0
    private(set) var faults: [String] = []
    private var course: SoakCourse?
    private var sinceChange = 0
    private var steps: [StepEvent] = []
    private var unsure: [Pair] = []
    private var sure: [Pair] = []
    private var ticks: [UInt64] = []

    mutating func add(_ state: InstrumentState) {
        let course = SoakCourse(state)
        guard course != self.course else { return }
        self.course = course
        (sinceChange, steps, unsure) = (0, [], [])
    }

    mutating func add(_ step: StepEvent) {
        sinceChange += 1
        while let pair = unsure.first, sinceChange >= pair.number + Self.grace { sure.append(unsure.removeFirst()) }
        guard let course, course.sendsClock, sinceChange > Self.grace else { return }
        steps = steps.suffix(2) + [step]
        guard let first = steps.first, steps.map(\.step) == Array(first.step...first.step + 2), first.step % 2 == 0,
            first.usecs < step.usecs
        else { return }
        unsure.append(
            Pair(time: first.usecs...step.usecs, following: course.following.following, number: sinceChange))
    }

    /// Hears a tick; ticks come in order of time.
    mutating func hearTick(at usecs: UInt64) { ticks.append(usecs) }

    /// Advances to a time; everything before it has been heard.
    mutating func goOn(to usecs: UInt64, _ disturbances: Disturbances) {
        let due = sure.filter { $0.time.upperBound + Self.tolerance < usecs }
        sure.removeAll { $0.time.upperBound + Self.tolerance < usecs }
        for pair in due where pair.time.upperBound + Self.memory > usecs && !disturbances.touch(pair.time) {
            let time = pair.time.lowerBound - Self.tolerance..<pair.time.upperBound - Self.tolerance
            let count = ticks.count { time.contains($0) }
            if count == Self.ticksPerPair {
                pairs += 1
            } else {
                faults.append(
                    "\(count) ticks in two steps of \((time.upperBound - time.lowerBound) / 1000) ms, following "
                        + pair.following.name)
            }
        }
        ticks.removeAll { $0 + 2 * Self.memory < usecs }
    }
}
