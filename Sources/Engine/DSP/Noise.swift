/// Four independent generators of white noise, the same at every start.
///
/// Marsaglia's xorshift32 ("Xorshift RNGs", Journal of Statistical Software 8(14), 2003) with the shifts 13, 17, 5. A
/// sample rate spreads the generators' power over its whole band; scaled by the root of the rate, there is as much of it
/// in every Hz as at 48 kHz, where the samples are -1 to 1. Above, what nobody hears is left out: it would cost headroom.
struct NoiseLanes: BitwiseCopyable {
    private var state: LaneBits
    private let gain: Float
    private var limit: EarLimit
    private let isLimited: Bool

    /// Generators started from a seed.
    ///
    /// - Parameter isLimited: Whether nothing is left above hearing at any rate, not only from 88.2 kHz on.
    init(seed: UInt32, isLimited: Bool = false, sampleRate: Double) {
        limit = EarLimit(sampleRate: sampleRate)
        self.isLimited = isLimited || sampleRate > 60_000
        state = .zero
        for lane in 0..<laneCount {
            // Weyl's sequence spreads the seeds; a state of 0 would stay there.
            state[lane] = (seed &+ UInt32(lane)) &* 0x9e37_79b9 | 1
        }
        gain = Float((sampleRate / 48_000).squareRoot())
        for _ in 0..<16 { _ = white() }
    }

    /// The next sample of each lane.
    @_noLocks @_noAllocation @_transparent
    mutating func next() -> Lanes {
        let sample = white()
        return isLimited ? limit.filter(sample) : sample
    }

    @_noLocks @_noAllocation @_transparent
    private mutating func white() -> Lanes {
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
        return gain * Lanes(bipolar: state)
    }
}
