/// A track's filter: a low-pass at the left of its range, a high-pass at the right, nothing in the middle.
///
/// A state-variable filter of two poles (Vadim Zavalishin, "The Art of VA Filter Design") in double precision. Its
/// coefficients are computed every 32 frames of the control grid and move in straight lines, a grid point behind the
/// value: what the next point needs is then always known. A mixture of two such filters loses energy as each of them
/// does, so it is stable however they move.
struct TrackFilter: BitwiseCopyable {
    /// Frames from one point to the next.
    static var step: Int { 32 }

    private let sampleRate: Double
    /// How long the value is 0 before the filter is switched off, in points of the grid.
    private let patience: Int
    /// The coefficients at the last point of the grid, and at the next.
    private var from = FilterCoefficients.dry
    private var to = FilterCoefficients.dry
    /// What ``to`` was computed for.
    private var (value, resonance) = (0.0, 0.0)
    /// Whether it is a high-pass.
    private var isHigh = false
    /// Whether it does nothing, and its state is not kept.
    private var isOff = true
    /// For how many points the value has been 0.
    private var quietPoints = 0
    /// What is left inside, of mid and side.
    private var state = FilterState()

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        patience = frames(0.005, sampleRate: sampleRate) / TrackFilter.step + 1
    }

    var isResting: Bool { state.isSilent }

    /// Whether anything is left of the side.
    var hasSide: Bool { state.hasSide }

    /// Whether a value may be heard, or one that was before.
    func isOn(_ position: GainLine) -> Bool { !isOff || position.constant != 0 }

    /// Forgets all sound.
    mutating func reset() {
        isOff = true
        state = FilterState()
    }

    /// Filters a stretch.
    ///
    /// - Parameters:
    ///   - position: The filter's parameter, -1 to 1.
    ///   - q: Its resonance.
    mutating func render(_ stretch: Stretch, _ position: GainLine, q: GainLine, _ input: StripInput) {
        var done = 0
        while done < stretch.count {
            let frame = stretch.frame + Int64(done)
            let passed = stretch.grid.passed(at: frame, step: TrackFilter.step)
            if passed == 0 {
                if input.hasEnded(by: frame), state.isQuiet { state = FilterState() }
                turn(Double(position.value(offset: done)), Double(q.value(offset: done)))
            }
            var part = min(TrackFilter.step - passed, stretch.count - done)
            if let waking = input.waking, done <= waking, waking < done + part, isResting {
                if done < waking {
                    part = waking - done
                } else {
                    begin(Double(position.value(offset: done)), Double(q.value(offset: done)))
                }
            }
            if !isOff { run(stretch, done, count: part, passed: passed) }
            done += part
        }
    }

    /// Begins at a value, after silence.
    private mutating func begin(_ value: Double, _ resonance: Double) {
        isHigh = value > 0
        isOff = value == 0
        quietPoints = 0
        prepare(value, resonance)
        from = to
    }

    /// Continues at a point of the grid towards a value.
    private mutating func turn(_ value: Double, _ resonance: Double) {
        quietPoints = value == 0 ? quietPoints + 1 : 0
        if isOff, value == 0 { return }
        from = to
        if isOff {
            isOff = false
            isHigh = value > 0
            prepare(value, resonance)
            from = to.silenced
        } else if value != 0, (value > 0) != isHigh {
            // Through dry, where the frequency jumps.
            guard from.isDry else {
                to = from.silenced
                self.value = .nan
                return
            }
            isHigh = value > 0
            prepare(value, resonance)
            from = to.silenced
        } else {
            prepare(value, resonance)
            if from.isDry, to.isDry, quietPoints >= patience { reset() }
        }
    }

    private mutating func prepare(_ value: Double, _ resonance: Double) {
        guard value != self.value || resonance != self.resonance else { return }
        (self.value, self.resonance) = (value, resonance)
        to = FilterCoefficients(value, isHigh: isHigh, q: resonance, sampleRate: sampleRate)
    }

    private mutating func run(_ stretch: Stretch, _ start: Int, count: Int, passed: Int) {
        var state = state
        let slope = (to.numbers - from.numbers) * (1 / Double(TrackFilter.step))
        let isConstant = from.isSame(as: to)
        for index in 0..<count {
            let factors = isConstant ? to.numbers : from.numbers + slope * Double(passed + index)
            let mid = unsafe Double(stretch.mid[start + index])
            let side = unsafe stretch.side.map { unsafe Double($0[start + index]) } ?? 0
            let output = state.next(SIMD2(mid, side), factors)
            unsafe stretch.mid[start + index] = Float(output.x)
            if let samples = unsafe stretch.side { unsafe samples[start + index] = Float(output.y) }
        }
        self.state = state
    }
}
