/// The end of the mix: a soft clipper, and the loudness that drives the mix into it.
///
/// Without loudness it is the ``Clipper`` alone. With it the curve runs at four times the rate, because what bends more
/// than peaks would be heard as aliases. Switching crosses over between the two within 5 ms.
struct OutputStage: ~Copyable {
    private let place = Pinned()
    private var rate = QuadrupleRate()
    private var gain = GainRamp(1)
    /// The way from the plain curve to the other in frames: first the filters fill, then the output crosses over.
    private var way = GainRamp(0)
    private let fillFrames: Int
    private let crossFrames: Int
    /// Frames since the filters last got anything but 0.
    private var quietFrames: Int

    /// A stage without loudness.
    init(sampleRate: Double) {
        fillFrames = 2 * QuadrupleRate.length
        crossFrames = frames(Fade.seconds, sampleRate: sampleRate)
        quietFrames = 2 * QuadrupleRate.length
    }

    /// Starts to move to a loudness in dB.
    mutating func move(to decibels: Double, frames: Int) {
        let wayFrames = fillFrames + crossFrames
        guard decibels > 0 else { return way.move(to: 0, frames: wayFrames) }
        if way.isOpen {
            gain.move(to: linearFactor(decibels: decibels), frames: frames)
        } else {
            rate.reset()
            quietFrames = fillFrames
            gain = GainRamp(linearFactor(decibels: decibels))
        }
        way.move(to: Float(wayFrames), frames: wayFrames)
    }

    /// Jumps to its settings.
    mutating func arrive() {
        gain.arrive()
        way.arrive()
    }

    /// Whether the output stays silent until there is input.
    var isSilent: Bool { quietFrames >= fillFrames || !way.isOpen }

    /// Forgets all sound.
    mutating func reset() {
        rate.reset()
        quietFrames = fillFrames
    }

    /// Finishes the mix in place.
    mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
    ) {
        if way.isOpen {
            unsafe drive(left, right, count: count)
        } else {
            unsafe Clipper.clip(left, count: count)
            unsafe Clipper.clip(right, count: count)
        }
    }

    /// Advances by frames, rendered or not.
    mutating func advance(_ count: Int) {
        gain.advance(count)
        way.advance(count)
    }

    private mutating func drive(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
    ) {
        for index in 0..<count {
            let input = unsafe (left: left[index], right: right[index])
            quietFrames = input.left == 0 && input.right == 0 ? quietFrames + 1 : 0
            let gain = gain.value(offset: index)
            let driven = rate.apply((input.left * gain, input.right * gain)) { Clipper.clip($0) }
            let share = max(0, way.value(offset: index) - Float(fillFrames)) / Float(crossFrames)
            let plain = Clipper.clip(Lanes(input.left, input.right, 0, 0))
            unsafe left[index] = mixed(plain.x, driven.left, share)
            unsafe right[index] = mixed(plain.y, driven.right, share)
        }
    }

    /// Some of each, within -1 and 1: the filters overshoot.
    @inline(__always)
    private func mixed(_ plain: Float, _ driven: Float, _ share: Float) -> Float {
        plain * (1 - share) + min(max(driven, -1), 1) * share
    }
}

extension OutputStage {
    struct Memory: BitwiseCopyable {
        var gain: GainRamp
        var way: GainRamp
    }

    var memory: Memory { Memory(gain: gain, way: way) }

    mutating func restore(_ memory: Memory) { (gain, way) = (memory.gain, memory.way) }
}
