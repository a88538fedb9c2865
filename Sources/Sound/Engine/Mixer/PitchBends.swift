import Music

/// How a track's oscillator bends the pitch over a stretch: a factor of all frequencies for each part between two points
/// of the control grid. In the middle of a part it is exact, so phases are right at its end.
struct PitchBends: ~Copyable {
    /// A part at the stretch's start, full ones, and one at its end.
    private let factors = FixedArray<Double>(count: Stretch.longest / ControlGrid.step + 2) { _ in 1 }
    /// The part in progress of each track whose pitch moves; 1 for the others.
    private let newest = FixedArray<Double>(count: trackCount) { _ in 1 }
    /// Whether the pitch moves in this stretch.
    private var isOn = false

    /// Begins a stretch of a track whose pitch does not move.
    mutating func rest(_ track: Int) {
        isOn = false
        factors[0] = 1
        newest[track] = 1
    }

    /// Begins a stretch of a track whose pitch moves.
    ///
    /// - Parameter clock: The song's place, for the oscillator.
    mutating func follow(
        _ track: Int, _ source: ControlSource, _ stretch: Stretch, _ sequencer: borrowing Sequencer,
        _ clock: inout LFOClock
    ) {
        isOn = true
        var (done, index) = (0, 0)
        while done < stretch.count {
            let point = stretch.frame + Int64(done)
            // A part that a period cuts keeps its factor, whatever the tempo becomes.
            if stretch.grid.passed(at: point) == 0 {
                let middle = point + Int64(ControlGrid.step / 2)
                newest[track] = source.bend(
                    at: sequencer.count(of: track, at: middle), clock.position(at: middle, sequencer))
            }
            factors[index] = newest[track]
            done += part(of: stretch, from: done)
            index += 1
        }
    }

    /// The factor of a part.
    func factor(_ index: Int) -> Double { factors[isOn ? index : 0] }

    /// Frames in the part that begins `done` frames after the stretch's first.
    func part(of stretch: Stretch, from done: Int) -> Int {
        let left = stretch.count - done
        guard isOn else { return left }
        return min(left, ControlGrid.step - stretch.grid.passed(at: stretch.frame + Int64(done)))
    }

    /// What is remembered while everything is silent: a part that a period has cut keeps its factor.
    var memory: PerTrack<Double> {
        var factors = PerTrack(repeating: 1.0)
        newest.copy(into: &factors)
        return factors
    }

    mutating func restore(_ memory: PerTrack<Double>) { newest.restore(memory) }
}
