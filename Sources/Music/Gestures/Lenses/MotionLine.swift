import Music

/// What a finger has drawn of a motion: a value on each of some successive steps.
struct MotionLine {
    /// How far a step may be off the line between points, as a share of the range.
    private static let tolerance = 0.02

    /// By step, without gaps.
    let values: [Motions.Point]
    /// Between the lowest and the highest value that can be drawn.
    let range: ClosedRange<Double>

    /// The fewest points that are needed: the first and the last, and then, while a step is off the line between its
    /// neighbouring points, the one furthest off.
    var fewestPoints: [Motions.Point] {
        guard values.count > 2 else { return values }
        var chosen = [0, values.count - 1]
        while let next = furthestOff(chosen) {
            chosen.append(next)
            chosen.sort()
        }
        return chosen.map { values[$0] }
    }

    /// The value furthest off the lines between these, the earliest of equal ones; nil if none is off.
    private func furthestOff(_ chosen: [Int]) -> Int? {
        var furthest: (index: Int, distance: Double)?
        for (start, end) in zip(chosen, chosen.dropFirst()) {
            for index in start + 1..<max(end, start + 1) {
                let share = Double(index - start) / Double(end - start)
                let line = values[start].value + share * (values[end].value - values[start].value)
                let distance = abs(values[index].value - line)
                if distance > furthest?.distance ?? 0 { furthest = (index, distance) }
            }
        }
        let limit = Self.tolerance * (range.upperBound - range.lowerBound)
        return furthest.flatMap { $0.distance > limit ? $0.index : nil }
    }
}
