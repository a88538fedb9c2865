import Music

/// The curve of a moving gain, frame by frame of a period.
///
/// Its pieces begin on multiples of ``pieceLength`` frames, so that it does not depend on the period. Where it begins,
/// jumps or ends, the difference fades.
@safe
struct MotionCurve: ~Copyable {
    /// The present period.
    private let values: UnsafeMutablePointer<Float>
    /// Whether anything of the present period is the curve's.
    private(set) var isUsed = false
    /// Whether a motion rules, and not the mixer.
    private var isRuled = false
    /// The motion's value at the next frame, and its slope.
    private var (value, slope): (Float, Float) = (0, 0)
    /// The rest of the last jump, which fades frame by frame.
    private var (rest, step, remaining): (Float, Float, Int) = (0, 0, 0)

    init() {
        unsafe values = .allocate(capacity: RtCycle.longest + laneCount)
        unsafe values.initialize(repeating: 0, count: RtCycle.longest + laneCount)
    }

    deinit { unsafe values.deallocate() }

    /// Frames of a piece, in which a curve is a straight line.
    static var pieceLength: Int { 8 }

    /// Begins a period.
    mutating func begin() { isUsed = isRuled || remaining > 0 }

    /// Continues with a piece from one value to another, or with nil leaves the gain to the mixer.
    ///
    /// - Parameters:
    ///   - ramp: The mixer's gain.
    ///   - offset: The frame of the period.
    ///   - fadeFrames: Frames in which a jump fades.
    mutating func turn(_ piece: (from: Float, to: Float)?, over ramp: GainRamp, offset: Int, fadeFrames: Int) {
        guard piece != nil || isRuled else { return }
        if !isUsed {
            for frame in 0..<offset { unsafe values[frame] = ramp.value(offset: frame) }
            isUsed = true
        }
        let before = isRuled ? value : ramp.value(offset: offset)
        isRuled = piece != nil
        value = piece?.from ?? ramp.value(offset: offset)
        slope = ((piece?.to ?? value) - value) / Float(MotionCurve.pieceLength)
        let leap = before - value
        guard abs(leap) > 1e-5 else { return }
        rest += leap
        remaining = fadeFrames
        step = rest / Float(fadeFrames)
    }

    /// Moves on through a part of the period.
    mutating func render(over ramp: GainRamp, offset: Int, count: Int) {
        guard isUsed else { return }
        for frame in offset..<offset + count {
            unsafe values[frame] = (isRuled ? value : ramp.value(offset: frame)) + rest
            value += slope
            if remaining > 0 {
                remaining -= 1
                rest = step * Float(remaining)
            }
        }
    }

    /// The gain in the present period: the curve, or the mixer's.
    func line(over ramp: GainRamp) -> GainLine { unsafe GainLine(ramp: ramp, curve: isUsed ? values : nil) }
}

/// A gain over a period; valid as long as the period.
@safe
struct GainLine: BitwiseCopyable {
    private let ramp: GainRamp
    private let curve: UnsafePointer<Float>?

    fileprivate init(ramp: GainRamp, curve: UnsafePointer<Float>?) {
        self.ramp = ramp
        unsafe self.curve = curve
    }

    /// Whether the value is anything but 0, or on its way.
    var isOpen: Bool { unsafe curve != nil || ramp.isOpen }

    /// The values of four frames, from `offset` frames on; those beyond the period are undefined.
    @_transparent
    func values(offset: Int) -> Lanes {
        guard let curve = unsafe curve else { return ramp.values(offset: offset) }
        return unsafe Lanes(curve + offset, count: laneCount)
    }
}
