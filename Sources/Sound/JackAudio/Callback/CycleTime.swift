import Engine

/// When a cycle starts and how long its frames last, checked for plausibility.
///
/// JACK's delay-locked loop loses the sound card's clock when the server freewheels or was stopped. It then reports
/// negative periods and times far from now.
struct CycleTime: Equatable {
    /// JACK's time of the first frame in µs.
    var startUsecs: UInt64
    /// Length of a frame in µs, within a factor of two of its nominal length.
    var usecsPerFrame: Double

    /// How far a cycle's start may be from now, in µs.
    static let horizon: UInt64 = 10_000_000

    /// The cycle as JACK measures it; if that is implausible, one that starts now and lasts its nominal time.
    ///
    /// - Parameters:
    ///   - startUsecs: JACK's time of the first frame in µs.
    ///   - periodUsecs: JACK's length of the period in µs.
    ///   - frameCount: Frames in the period, at least 1.
    ///   - sampleRate: Frames per second, at least 1.
    ///   - now: JACK's time in µs.
    @_noLocks @_noAllocation
    init(startUsecs: UInt64, periodUsecs: Float, frameCount: Int, sampleRate: Int, now: UInt64) {
        let nominal = 1e6 / Double(sampleRate)
        let measured = Double(periodUsecs) / Double(frameCount)
        let distance = startUsecs > now ? startUsecs - now : now - startUsecs
        // False for a NaN, too.
        let isPlausible = measured >= nominal / 2 && measured <= nominal * 2 && distance <= Self.horizon
        self.startUsecs = isPlausible ? startUsecs : now
        usecsPerFrame = isPlausible ? measured : nominal
    }
}

/// Extends JACK's 32-bit frame time, which wraps after a day at 48 kHz, to 64 bits.
struct FrameClock {
    private var frame: Int64?

    /// The frame time of a cycle, given cycles less than 2^31 frames apart.
    @_noLocks @_noAllocation
    mutating func extend(_ frameTime: UInt32) -> Int64 {
        guard let last = frame else {
            frame = Int64(frameTime)
            return Int64(frameTime)
        }
        let step = Int32(bitPattern: frameTime &- UInt32(truncatingIfNeeded: last))
        let extended = last &+ Int64(step)
        frame = extended
        return extended
    }
}

extension RtCycle {
    /// The part of the cycle that begins `offset` frames after its start, at most `limit` frames long.
    @_noLocks @_noAllocation
    func part(from offset: Int, atMost limit: Int) -> RtCycle {
        // A copy, so that nothing that is added to cycles is left out.
        var part = self
        part.frameCount = min(frameCount - offset, limit)
        part.startFrame += Int64(offset)
        part.startUsecs = usecs(at: offset)
        part.outside = outside.later(by: offset)
        return part
    }
}
