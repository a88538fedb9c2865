/// A gain of a strip: the parameter's or, while a motion controls it, the motion's.
///
/// A motion is a straight line from one point of the control grid to the next. Where it begins, jumps or ends, the
/// difference fades.
struct MovingGain: BitwiseCopyable {
    /// The parameter's gain.
    var ramp = GainRamp(0)
    /// Whether a motion controls the gain.
    private var isRuled = false
    /// The motion's value at the last point of the grid, and its slope.
    private var (value, slope): (Float, Float) = (0, 0)
    /// Frames since that point.
    private var passed = 0
    /// The slope of the fade of a jump, and the frames that are left of it.
    private var (fadeSlope, remaining): (Float, Int) = (0, 0)

    /// Whether the value is not just the ramp.
    var isMoving: Bool { isRuled || remaining > 0 }

    /// Jumps to the parameter's gain, while the track is silent.
    mutating func arrive() {
        let ramp = ramp
        self = MovingGain()
        self.ramp = ramp
        self.ramp.arrive()
    }

    /// Continues at a point of the control grid towards the next; nil returns to the parameter's gain.
    ///
    /// - Parameters:
    ///   - offset: Frames that the ramp is behind.
    ///   - fadeFrames: Frames in which a jump fades.
    mutating func turn(from start: Float?, to end: Float?, offset: Int, fadeFrames: Int) {
        guard start != nil || isRuled else { return }
        let before = isRuled ? value + slope * Float(passed) : ramp.value(offset: offset)
        isRuled = start != nil
        passed = 0
        value = start ?? ramp.value(offset: offset)
        slope = ((end ?? value) - value) / Float(ControlGrid.step)
        let leap = before - value
        guard abs(leap) > 1e-5 else { return }
        fadeSlope = (fadeSlope * Float(remaining) + leap) / Float(fadeFrames)
        remaining = fadeFrames
    }

    /// Writes the values of the next eight frames, of which only those up to the next point of the grid are right.
    ///
    /// - Parameter offset: Frames that the ramp is behind.
    func write(to values: UnsafeMutablePointer<Float>, offset: Int) {
        let frames = Lanes(0, 1, 2, 3)
        var first: Lanes
        var second: Lanes
        if isRuled {
            let distance = Float(passed) + frames
            (first, second) = (value + slope * distance, value + slope * (distance + 4))
        } else {
            (first, second) = (ramp.values(offset: offset), ramp.values(offset: offset + laneCount))
        }
        if remaining > 0 {
            let left = Float(remaining) - frames
            first += fadeSlope * left.atLeast(.zero)
            second += fadeSlope * (left - 4).atLeast(.zero)
        }
        unsafe first.store(in: values, count: laneCount)
        unsafe second.store(in: values + laneCount, count: laneCount)
    }

    /// Advances through a part of a stretch.
    mutating func advance(_ count: Int) {
        passed += count
        remaining = max(0, remaining - count)
    }
}

/// A gain over a stretch; valid as long as the stretch.
@safe
struct GainLine: BitwiseCopyable {
    private let ramp: GainRamp
    private let curve: UnsafePointer<Float>?

    /// A ramp.
    init(_ ramp: GainRamp) {
        self.ramp = ramp
        unsafe curve = nil
    }

    /// Other values than the ramp's, with room for three more.
    init(_ ramp: GainRamp, curve: UnsafePointer<Float>) {
        self.ramp = ramp
        unsafe self.curve = curve
    }

    /// Whether the value is not 0, or still moving.
    var isOpen: Bool { unsafe curve != nil || ramp.isOpen }

    /// The value over the whole stretch; nil if it moves.
    var constant: Float? { unsafe curve == nil ? ramp.constant : nil }

    /// The value of a frame, `offset` frames on.
    @_transparent
    func value(offset: Int) -> Float { values(offset: offset).x }

    /// The values of four frames, from `offset` frames on; those beyond the stretch are undefined.
    @_transparent
    func values(offset: Int) -> Lanes {
        guard let curve = unsafe curve else { return ramp.values(offset: offset) }
        return unsafe Lanes(curve + offset, count: laneCount)
    }
}
