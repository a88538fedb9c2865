import Music

/// How one start of a note differs from the others: what `drift` does. The values come from the dice in a fixed order:
/// the phase of each oscillator, pitch, level, noise and metal.
struct Drift: BitwiseCopyable {
    /// 0 for none, to 1.
    private(set) var amount = 0.0
    private var draws = DiceDraws(state: 0)

    /// None.
    init() {}

    init(amount: Double, _ draws: DiceDraws) {
        (self.amount, self.draws) = (amount, draws)
    }

    /// Whether it changes anything.
    var isOpen: Bool { amount > 0 }

    /// The next value, -1 to less than 1, times the amount.
    private mutating func shift() -> Double { (2 * draws.number() - 1) * amount }

    /// How far an oscillator's start is moved, where 2^32 is a full cycle: at most 0.15 of one.
    mutating func phase() -> UInt32 {
        isOpen ? UInt32(truncatingIfNeeded: Int64(0.15 * shift() * 4_294_967_296)) : 0
    }

    /// The factor of the frequency of a pitched note: at most 5 cents.
    mutating func detune() -> Double { isOpen ? exponential(shift() * (0.693_147_180_559_945_3 * 5 / 1200)) : 1 }

    /// The factor of a drum's frequencies: at most 2 %.
    mutating func drumDetune() -> Double { isOpen ? 1 + 0.02 * shift() : 1 }

    /// The factor of the level: at most 0.5 dB.
    mutating func level() -> Float { isOpen ? linearFactor(decibels: 0.5 * shift()) : 1 }

    /// The seed of the noise; a given one without drift.
    mutating func seed(else seed: UInt32) -> UInt32 { isOpen ? UInt32(truncatingIfNeeded: draws.next() >> 32) : seed }

    /// Where in its loop metal begins, as a part of it.
    mutating func place() -> Double { isOpen ? draws.number() : 0 }
}
