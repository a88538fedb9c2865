import Grid
import PixelBoopClient

/// One finger's way over the grid, as by a performer, or a child.
struct RandomGesture {
    /// A touch, and its delay after the previous one.
    struct GestureMoment {
        var wait: Duration
        var touch: Touch
    }

    private(set) var moments: [GestureMoment] = []

    /// Makes up a gesture.
    init(finger: Int, using random: inout some RandomNumberGenerator) {
        let start = Self.place(using: &random)
        let hold: Duration = Int.random(in: 0..<4, using: &random) == 0 ? .milliseconds(430) : .milliseconds(40)
        moments.append(GestureMoment(wait: .zero, touch: Touch(id: finger, phase: .down, x: start.x, y: start.y)))
        var end = start
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: break
        case 3...6:
            let goal = Self.place(using: &random)
            end = drag(finger, from: start, to: goal, holding: hold)
        default:
            // Back and forth, which eventually clears the pattern.
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                let goal = (x: end.x < 22 ? end.x + 5 : end.x - 5, y: end.y)
                end = drag(finger, from: end, to: goal, holding: .milliseconds(20))
            }
        }
        let isDropped = Int.random(in: 0..<20, using: &random) == 0
        moments.append(
            GestureMoment(
                wait: moments.count == 1 ? hold : .milliseconds(20),
                touch: Touch(id: finger, phase: isDropped ? .cancel : .up, x: end.x, y: end.y)))
    }

    private mutating func drag(
        _ finger: Int, from start: (x: Double, y: Double), to goal: (x: Double, y: Double), holding hold: Duration
    ) -> (x: Double, y: Double) {
        let count = 6
        for index in 1...count {
            let part = Double(index) / Double(count)
            let touch = Touch(
                id: finger, phase: .move, x: start.x + part * (goal.x - start.x), y: start.y + part * (goal.y - start.y)
            )
            moments.append(GestureMoment(wait: index == 1 ? hold : .milliseconds(25), touch: touch))
        }
        return goal
    }

    /// Mostly on the tracks, now and then on the controls and the rest.
    private static func place(using random: inout some RandomNumberGenerator) -> (x: Double, y: Double) {
        let isAnywhere = Int.random(in: 0..<12, using: &random) == 0
        let row = isAnywhere ? 0..<Double(Frame.rows) : 2..<22
        let column = isAnywhere ? 0..<Double(Frame.columns) : 4..<Double(Frame.columns)
        return (.random(in: column, using: &random), .random(in: row, using: &random))
    }
}
