/// What a room's walls return before the reverberation: eight reflections on each side, 8 to 40 ms after the sound.
///
/// The first on each side is clear; the others come after the reverb's allpasses, and so are dense. Times and signs
/// were chosen at random, and kept because left and right are not correlated and the response at 50 ms is dense.
struct EarlyReflections: ~Copyable {
    private let place = Pinned()
    /// What has passed the allpasses.
    private var line: DelayLine
    private let left: Taps
    private let right: Taps
    /// How loud the reflections are, and how loud what follows them.
    private var (level, rest) = (GainRamp(0), GainRamp(1))
    private var (amount, time) = (0.0, 0.0)

    /// The reflections of one side.
    private struct Taps: BitwiseCopyable {
        /// In frames, the first before the predelay, the others after it.
        let delays: InlineArray<8, Int>
        let gains: InlineArray<8, Float>

        init(_ gains: InlineArray<8, Float>, after milliseconds: InlineArray<8, Double>, sampleRate: Double) {
            self.gains = gains
            delays = InlineArray { frames(0.001 * (milliseconds[$0] - ($0 == 0 ? 0 : 10)), sampleRate: sampleRate) }
        }
    }

    /// No reflections.
    init(sampleRate: Double) {
        left = Taps(
            [0.5, 0.9, 0.81, 0.73, -0.66, 0.59, -0.53, -0.48],
            after: [8, 14.23, 18.41, 20.77, 25.92, 29.84, 33.95, 38.3], sampleRate: sampleRate)
        right = Taps(
            [0.5, -0.9, 0.81, -0.73, 0.66, 0.59, -0.53, 0.48],
            after: [9.1, 11.03, 17.54, 23.35, 24.77, 28.99, 33.49, 39.7], sampleRate: sampleRate)
        line = DelayLine(longest: frames(0.03, sampleRate: sampleRate))
    }

    /// Starts to move to an amount, 0 to 1, in a reverb that falls by 60 dB in a time in seconds.
    mutating func move(to amount: Double, time: Double, frames: Int) {
        guard amount != self.amount || time != self.time else { return }
        (self.amount, self.time) = (amount, time)
        // The K-weighted energy of the tank, as measured from 0.3 to 8 s. The reflections have up to 1.19 times
        // as much, and both together as much as the tank alone.
        let tank = 0.049 * time * exponential(-0.75 / time)
        let share = min(1, EarlyReflections.mostEnergy / tank)
        let gain = 1 / squareRoot(1 + 1.19 * share * amount * amount)
        let full = min(1, tank / EarlyReflections.mostEnergy)
        rest.move(to: Float(gain), frames: max(1, frames))
        level.move(to: Float(0.09 * amount * gain * squareRoot(full)), frames: max(1, frames))
        if frames == 0 { arrive() }
    }

    /// The energy of the tank at 1.8 s, from which on the reflections become no louder.
    private static var mostEnergy: Double { 0.058 }

    /// Jumps to its target.
    mutating func arrive() {
        level.arrive()
        rest.arrive()
    }

    /// Forgets all sound.
    mutating func reset() {
        line.reset()
        arrive()
    }

    /// Whether there are any, or have been.
    var isOpen: Bool { level.isOpen || rest.isMoving }

    /// The reflections in the next frames.
    ///
    /// - Parameter predelay: What has not passed the predelay, before it gets these frames.
    @inline(__always)
    func reflections(_ predelay: borrowing DelayLine) -> (Lanes, Lanes) {
        (sum(left, predelay), sum(right, predelay))
    }

    @inline(__always)
    private func sum(_ taps: Taps, _ predelay: borrowing DelayLine) -> Lanes {
        var sum = predelay.read(taps.delays[0]) * taps.gains[0]
        for tap in 1..<8 { sum += line.read(taps.delays[tap]) * taps.gains[tap] }
        return sum
    }

    /// Hears the next frames after the allpasses.
    @inline(__always)
    mutating func hear(_ samples: Lanes, count: Int) { line.write(samples, count: count) }

    /// Adds the reflections to the next frames of the tank.
    @inline(__always)
    mutating func mix(_ reflections: (Lanes, Lanes), _ tank: (Lanes, Lanes), count: Int) -> (Lanes, Lanes) {
        let (level, rest) = (level.values(offset: 0), rest.values(offset: 0))
        self.level.advance(count)
        self.rest.advance(count)
        return (tank.0 * rest + reflections.0 * level, tank.1 * rest + reflections.1 * level)
    }
}
