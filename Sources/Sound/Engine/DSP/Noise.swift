/// Four independent generators of white noise.
///
/// Marsaglia's xorshift32 ("Xorshift RNGs", Journal of Statistical Software 8(14), 2003) with the shifts 13, 17, 5.
/// Samples are -1 to 1 at 48 kHz. At other rates they are scaled by the root of the rate, so that the power per Hz is
/// the same.
struct NoiseLanes: BitwiseCopyable {
    private var state = LaneBits(repeating: 1)
    private let gain: Float

    /// Generators that run at a rate in Hz, all alike until they are started.
    init(rate: Double) {
        gain = Float((rate / 48_000).squareRoot())
    }

    /// Starts a lane's noise, the same for the same seed.
    mutating func start(_ lane: Int, seed: UInt32) {
        // The finalizer of Appleby's MurmurHash3 turns neighbouring seeds into unrelated states. A state of 0 would
        // stay 0.
        var mixed = (seed ^ (seed >> 16)) &* 0x85eb_ca6b
        mixed = (mixed ^ (mixed >> 13)) &* 0xc2b2_ae35
        mixed ^= mixed >> 16
        state[lane] = mixed == 0 ? 1 : mixed
    }

    @_transparent
    mutating func next() -> Lanes {
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
        return gain * Lanes(bipolar: state)
    }
}
