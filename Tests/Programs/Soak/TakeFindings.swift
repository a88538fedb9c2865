/// How what was heard agrees with the renders of the takes in which it was played.
struct TakeFindings: Equatable {
    /// Frames without a gap that are worth comparing.
    private static let shortest = 24_000

    /// Frames that were heard and compared.
    private(set) var frames = 0
    private(set) var windows = 0
    /// Windows that prove nothing: silent, or not found while periods were late.
    private(set) var unjudged = 0
    /// Places that differ, as late periods explain.
    private(set) var excused = 0
    private(set) var faults: [String] = []

    /// Compares a window with the render of its take.
    mutating func add(_ window: TakeWindow, rendered: [Float]) {
        var (found, differences) = (0, 0)
        for run in window.runs where run.count >= 2 * Self.shortest && !HeardAgain.isSilent(run) {
            if let again = HeardAgain(run, in: rendered, within: window.tolerance) {
                found += again.frames
                differences += again.differences
            } else if window.late == 0 {
                faults.append("take \(window.take): \(run.count / 2) frames that were heard are not in its render")
            }
        }
        if differences > window.late {
            faults.append(
                "take \(window.take): \(differences) places differ from what was heard, and \(window.late) periods were late"
            )
        } else {
            excused += differences
        }
        if found > 0 { windows += 1 } else { unjudged += 1 }
        frames += found
    }

    /// Notes that a take could not be compared, and why.
    mutating func addFault(_ fault: String) { faults.append(fault) }

    static func += (sum: inout TakeFindings, more: TakeFindings) {
        sum.frames += more.frames
        sum.windows += more.windows
        sum.unjudged += more.unjudged
        sum.excused += more.excused
        sum.faults += more.faults
    }

    /// Adds what was found to a verdict.
    func judge(_ verdict: inout SoakVerdict) {
        verdict.add(
            "takes",
            "\(frames) frames in \(windows) windows as their takes are rendered, but for \(excused) places where periods "
                + "were late; \(unjudged) windows not judged" + faults.prefix(3).map { "; \($0)" }.joined(),
            !faults.isEmpty ? .bad : frames > 0 ? .good : .open)
    }
}

/// What was heard of the main output for some seconds.
struct TakeWindow {
    /// The number of the take that was then recorded.
    var take: Int
    /// Frames that followed one another without a gap, interleaved.
    var runs: [[Float]]
    /// Periods that were late meanwhile.
    var late = 0
    /// How far a sample may be from the rendered one; 0 for equal to the bit.
    var tolerance: Float = 0
}
