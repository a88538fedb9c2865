/// Four independent generators of white noise, the same at every start.
///
/// Marsaglia's xorshift32 ("Xorshift RNGs", Journal of Statistical Software 8(14), 2003) with the shifts 13, 17, 5. A
/// sample rate spreads the generators' power over its whole band; scaled by the root of the rate, there is as much of it
/// in every Hz as at 48 kHz, where the samples are -1 to 1.
struct NoiseLanes: BitwiseCopyable {
    private var state: LaneBits
    private let gain: Float

    /// Generators started from a seed.
    init(seed: UInt32, sampleRate: Double) {
        state = .zero
        for lane in 0..<laneCount {
            // Weyl's sequence spreads the seeds; a state of 0 would stay there.
            state[lane] = (seed &+ UInt32(lane)) &* 0x9e37_79b9 | 1
        }
        gain = Float((sampleRate / 48_000).squareRoot())
        for _ in 0..<16 { _ = next() }
    }

    /// The next sample of each lane.
    @_noLocks @_noAllocation @_transparent
    mutating func next() -> Lanes {
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
        return gain * Lanes(bipolar: state)
    }
}
