/// A gain that reaches a new value in a straight line, sample by sample.
struct GainRamp: BitwiseCopyable {
    private var target: Float
    private var slope: Float = 0
    /// Frames until the target is reached.
    private var remaining = 0

    init(_ value: Float) {
        target = value
    }

    /// Ramps to a new value over this many frames.
    mutating func move(to value: Float, frames: Int) {
        guard value != target else { return }
        let present = target - slope * Float(remaining)
        target = value
        slope = (value - present) / Float(frames)
        remaining = frames
    }

    /// Whether the value is not 0, or still moving.
    var isOpen: Bool { target != 0 || remaining > 0 }

    var isMoving: Bool { remaining > 0 }

    /// Frames until the target is reached; nil if it is.
    var framesLeft: Int? { remaining > 0 ? remaining : nil }

    /// Frames in which the value is not 0 for good, at most `count`.
    func openFrames(atMost count: Int) -> Int { target != 0 ? count : min(count, remaining) }

    /// The value, if it does not move.
    var constant: Float? { remaining > 0 ? nil : target }

    /// Jumps to the new value.
    mutating func arrive() {
        remaining = 0
    }

    /// The values of four frames, the first of them `offset` frames from now.
    @_transparent
    func values(offset: Int) -> Lanes {
        if remaining <= offset { return Lanes(repeating: target) }
        let left = Float(remaining - offset - 1) - Lanes(0, 1, 2, 3)
        return target - slope * left.atLeast(.zero)
    }

    /// The value of a frame, `offset` frames from now.
    func value(offset: Int) -> Float { values(offset: offset).x }

    mutating func advance(_ count: Int) {
        remaining = max(0, remaining - count)
    }
}
