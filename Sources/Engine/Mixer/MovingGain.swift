/// A gain of a strip: the parameter's or, while a motion controls it, the motion's.
///
/// A motion is a straight line from one point of the control grid to the next. Where it begins, jumps or ends, the
/// difference fades.
struct MovingGain: BitwiseCopyable {
    /// The parameter's gain.
    var ramp = GainRamp(0)
    /// Whether a motion controls the gain.
    private var isRuled = false
    /// The motion's value at the next frame, and its slope.
    private var (value, slope): (Float, Float) = (0, 0)
    /// The rest of the last jump, which fades frame by frame.
    private var (rest, step, remaining): (Float, Float, Int) = (0, 0, 0)

    /// Whether the value is not just the ramp.
    var isMoving: Bool { isRuled || remaining > 0 }

    /// Jumps to the parameter's gain, while the track is silent.
    mutating func arrive() {
        ramp.arrive()
        isRuled = false
        (value, slope) = (0, 0)
        (rest, step, remaining) = (0, 0, 0)
    }

    /// Continues at a point of the control grid towards the next; nil returns to the parameter's gain.
    ///
    /// - Parameters:
    ///   - offset: Frames that the ramp is behind.
    ///   - fadeFrames: Frames in which a jump fades.
    mutating func turn(from start: Float?, to end: Float?, offset: Int, fadeFrames: Int) {
        guard start != nil || isRuled else { return }
        let before = isRuled ? value : ramp.value(offset: offset)
        isRuled = start != nil
        value = start ?? ramp.value(offset: offset)
        slope = ((end ?? value) - value) / Float(ControlGrid.step)
        let leap = before - value
        guard abs(leap) > 1e-5 else { return }
        rest += leap
        remaining = fadeFrames
        step = rest / Float(fadeFrames)
    }

    /// Advances through a part of a stretch, and writes its values.
    ///
    /// - Parameter offset: Frames that the ramp is behind.
    mutating func render(_ values: UnsafeMutablePointer<Float>, offset: Int, count: Int) {
        for frame in 0..<count {
            unsafe values[frame] = (isRuled ? value : ramp.value(offset: offset + frame)) + rest
            value += slope
            if remaining > 0 {
                remaining -= 1
                rest = step * Float(remaining)
            }
        }
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

    /// The values of four frames, from `offset` frames on; those beyond the stretch are undefined.
    @_transparent
    func values(offset: Int) -> Lanes {
        guard let curve = unsafe curve else { return ramp.values(offset: offset) }
        return unsafe Lanes(curve + offset, count: laneCount)
    }
}
