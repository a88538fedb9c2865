/// Four independent generators of white noise, the same at every start.
///
/// Marsaglia's xorshift32 ("Xorshift RNGs", Journal of Statistical Software 8(14), 2003) with the shifts 13, 17, 5. The
/// generators run at about 48 kHz whatever the sample rate: at 96 and 192 kHz each value is held for two or four frames.
/// Otherwise a doubled rate would spread the same power over twice the band and leave half of it audible.
struct NoiseLanes: BitwiseCopyable {
    private var state: LaneBits
    private var held = Lanes.zero
    private var framesLeft = 0
    private var framesHeld = 1

    /// Generators started from a seed.
    init(seed: UInt32, sampleRate: Double) {
        state = .zero
        for lane in 0..<laneCount {
            // Weyl's sequence spreads the seeds; a state of 0 would stay there.
            state[lane] = (seed &+ UInt32(lane)) &* 0x9e37_79b9 | 1
        }
        framesHeld = max(1, Int(sampleRate / 48_000 + 0.5))
        for _ in 0..<16 { _ = advanced() }
    }

    /// The next sample of each lane, -1 to 1.
    @_noLocks @_noAllocation @_transparent
    mutating func next() -> Lanes {
        if framesLeft == 0 {
            held = advanced()
            framesLeft = framesHeld
        }
        framesLeft -= 1
        return held
    }

    @_noLocks @_noAllocation @_transparent
    private mutating func advanced() -> Lanes {
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
        return Lanes(bipolar: state)
    }
}
