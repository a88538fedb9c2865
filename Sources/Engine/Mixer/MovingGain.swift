import Music

/// A gain of a track: the parameter's or, while a motion controls it, the motion's.
///
/// The pieces of a motion begin on multiples of ``pieceLength`` frames since the music last started from silence, so that
/// they depend neither on the period nor on what was played before. Where a motion begins, jumps or ends, the difference fades.
struct StripGain: ~Copyable {
    /// The parameter's gain.
    var ramp = GainRamp(0)
    /// The values of the current period, unless they are just the ramp.
    private let values = FixedArray<Float>(count: RtCycle.longest + laneCount) { _ in 0 }
    /// Whether ``values`` is used.
    private(set) var isMoving = false
    /// Whether a motion controls the gain.
    private var isRuled = false
    /// The motion's value at the next frame, and its slope.
    private var (value, slope): (Float, Float) = (0, 0)
    /// The rest of the last jump, which fades frame by frame.
    private var (rest, step, remaining): (Float, Float, Int) = (0, 0, 0)

    /// Frames of a piece, in which a motion is a straight line.
    static var pieceLength: Int { 8 }

    /// Begins a period.
    mutating func begin() { isMoving = isRuled || remaining > 0 }

    /// Jumps to the parameter's gain, while the track is silent; what the period has so far is kept.
    mutating func beginAnew() {
        ramp.arrive()
        isRuled = false
        (value, slope) = (0, 0)
        (rest, step, remaining) = (0, 0, 0)
    }

    /// Continues with a piece of a motion from one value to another; nil returns to the parameter's.
    ///
    /// - Parameters:
    ///   - offset: The frame of the period.
    ///   - fadeFrames: Frames in which a jump fades.
    mutating func turn(from start: Float?, to end: Float?, offset: Int, fadeFrames: Int) {
        guard start != nil || isRuled else { return }
        if !isMoving {
            for frame in 0..<offset { unsafe values.elements[frame] = ramp.value(offset: frame) }
            isMoving = true
        }
        let before = isRuled ? value : ramp.value(offset: offset)
        isRuled = start != nil
        value = start ?? ramp.value(offset: offset)
        slope = ((end ?? value) - value) / Float(StripGain.pieceLength)
        let leap = before - value
        guard abs(leap) > 1e-5 else { return }
        rest += leap
        remaining = fadeFrames
        step = rest / Float(fadeFrames)
    }

    /// Advances through a part of the period.
    mutating func render(offset: Int, count: Int) {
        guard isMoving else { return }
        for frame in offset..<offset + count {
            unsafe values.elements[frame] = (isRuled ? value : ramp.value(offset: frame)) + rest
            value += slope
            if remaining > 0 {
                remaining -= 1
                rest = step * Float(remaining)
            }
        }
    }

    /// The gain over the current period.
    var line: GainLine { unsafe GainLine(ramp: ramp, curve: isMoving ? values.elements : nil) }
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

    /// Whether the value is not 0, or still moving.
    var isOpen: Bool { unsafe curve != nil || ramp.isOpen }

    /// The values of four frames, from `offset` frames on; those beyond the period are undefined.
    @_transparent
    func values(offset: Int) -> Lanes {
        guard let curve = unsafe curve else { return ramp.values(offset: offset) }
        return unsafe Lanes(curve + offset, count: laneCount)
    }
}
