/// A high-pass whose corner moves and that can be switched off: Butterworth's of the second order as a
/// topology-preserving state-variable filter (Zavalishin, "The Art of VA Filter Design"). Switched off it is not
/// computed.
struct LowCut: BitwiseCopyable {
    /// How much of the lows is taken away, 0 to 1.
    private var amount = GainRamp(0)
    /// The corner as a tangent.
    private var tangent = GainRamp(0.01)
    private var (first, second): (Float, Float) = (0, 0)
    private let sampleRate: Double

    /// A filter that is off.
    init(sampleRate: Double) {
        self.sampleRate = sampleRate
    }

    /// Whether it changes anything.
    var isOpen: Bool { amount.isOpen }

    /// Starts to move to a corner frequency in Hz, which is at least 60; 0 for off.
    mutating func move(to frequency: Double, frames: Int) {
        defer { if frames == 0 { arrive() } }
        let frames = max(1, frames)
        guard frequency > 0 else { return amount.move(to: 0, frames: frames) }
        let goal = Float(StateVariableLanes.tangent(max(frequency, LowCut.lowest) / sampleRate))
        if amount.isOpen {
            tangent.move(to: goal, frames: frames)
        } else {
            (first, second) = (0, 0)
            tangent = GainRamp(goal)
        }
        amount.move(to: 1, frames: frames)
    }

    /// The lowest corner in Hz.
    private static var lowest: Double { 60 }

    /// Jumps to its target.
    mutating func arrive() {
        amount.arrive()
        tangent.arrive()
    }

    /// Forgets all sound.
    mutating func reset() {
        (first, second) = (0, 0)
        arrive()
    }

    /// Filters the first `count` of four frames.
    mutating func filter(_ input: Lanes, count: Int) -> Lanes {
        let (amounts, tangents) = (amount.values(offset: 0), tangent.values(offset: 0))
        // The factors of the trapezoidal rule, with a damping of the root of 2.
        let factors = 1 / (1 + tangents * (tangents + 1.414_213_6))
        var output = input
        for lane in 0..<laneCount where lane < count {
            let (g, rest) = (tangents[lane], input[lane] - second)
            let band = factors[lane] * (first + g * rest)
            let low = second + g * band
            first = 2 * band - first
            second = 2 * low - second
            output[lane] -= amounts[lane] * (1.414_213_6 * band + low)
        }
        amount.advance(count)
        tangent.advance(count)
        return output
    }
}
