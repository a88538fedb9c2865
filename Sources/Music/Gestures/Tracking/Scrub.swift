/// Counts how often a finger turns round, to distinguish rubbing out from drawing.
struct Scrub: Sendable {
    /// The state of a swing, which has a direction once it is two columns long.
    private enum Swing {
        /// Still too short to have a direction.
        case undecided(leftmost: Double, rightmost: Double)
        case leftwards(farthest: Double)
        case rightwards(farthest: Double)
    }

    private var swing: Swing
    private var movedAt: TouchMoment

    /// Changes of direction without a rest, 0 to 5.
    private(set) var changes = 0
    /// Whether enough were counted at some time that the touch can no longer write.
    private(set) var isCertain = false

    init(from x: Double, at now: TouchMoment) {
        swing = .undecided(leftmost: x, rightmost: x)
        movedAt = now
    }

    /// Whether the pattern was rubbed out, so that counting has ended.
    var isComplete: Bool { changes == Threshold.scrubClear }

    /// How long until the count is reset unless the finger moves, nil when there is no count.
    var wait: Wait? {
        changes > 0 && !isComplete ? Wait(start: movedAt, length: Threshold.scrubRest) : nil
    }

    /// Resets the count, but keeps the direction.
    mutating func rest() { changes = 0 }

    mutating func follow(to x: Double, at now: TouchMoment) {
        movedAt = now
        guard !isComplete else { return }
        switch swing {
        case .undecided(let leftmost, let rightmost):
            if x - leftmost >= Threshold.swing {
                swing = .rightwards(farthest: x)
            } else if rightmost - x >= Threshold.swing {
                swing = .leftwards(farthest: x)
            } else {
                swing = .undecided(leftmost: min(leftmost, x), rightmost: max(rightmost, x))
            }
        case .rightwards(let farthest):
            let hasTurned = farthest - x >= Threshold.swing
            swing = hasTurned ? .leftwards(farthest: x) : .rightwards(farthest: max(farthest, x))
            if hasTurned { countTurn() }
        case .leftwards(let farthest):
            let hasTurned = x - farthest >= Threshold.swing
            swing = hasTurned ? .rightwards(farthest: x) : .leftwards(farthest: min(farthest, x))
            if hasTurned { countTurn() }
        }
    }

    private mutating func countTurn() {
        changes += 1
        if changes >= Threshold.scrubChanges { isCertain = true }
    }
}
