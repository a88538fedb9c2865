/// Gains, pans, limiter and meters.
struct Mixer: ~Copyable {
    /// What is done to one track.
    private struct Strip: BitwiseCopyable {
        var gain = GainRamp(0)
        var left = GainRamp(0)
        var right = GainRamp(0)
    }

    private var strips = InlineArray<4, Strip>(repeating: Strip())
    private var fadeFrames: Int

    init(_ score: Score, sampleRate: Double) {
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        for index in 0..<4 {
            let track = score.tracks[index]
            strips[index] = Strip(
                gain: GainRamp(Mixer.gain(of: track)), left: GainRamp(track.left), right: GainRamp(track.right))
        }
    }

    /// Sets out for the gains and pans of a new score.
    @_noLocks @_noAllocation
    mutating func move(to score: borrowing Score) {
        for index in 0..<4 {
            let track = score.tracks[index]
            strips[index].gain.move(to: Mixer.gain(of: track), frames: fadeFrames)
            strips[index].left.move(to: track.left, frames: fadeFrames)
            strips[index].right.move(to: track.right, frames: fadeFrames)
        }
    }

    /// Applies the gains to the track buffers in place, mixes them to the main buffers, and reports the peaks.
    @_noLocks @_noAllocation
    mutating func mix(_ buffers: RtBuffers, count: Int, peaks: borrowing TrackPeaks) {
        var highest = InlineArray<4, Lanes>(repeating: .zero)
        var offset = 0
        while offset < count {
            unsafe mixEight(buffers, offset: offset, count: min(8, count - offset), peaks: &highest)
            offset += 8
        }
        for index in 0..<4 {
            strips[index].gain.advance(count)
            strips[index].left.advance(count)
            strips[index].right.advance(count)
            peaks.report(highest[index].max(), track: index)
        }
    }

    @_noLocks @_noAllocation
    private static func gain(of track: Score.TrackScore) -> Float { track.isSilent ? 0 : track.gain }

    @_noLocks @_noAllocation @inline(__always)
    private func mixEight(_ buffers: RtBuffers, offset: Int, count: Int, peaks: inout InlineArray<4, Lanes>) {
        var left = Lanes.zero
        var right = Lanes.zero
        for index in 0..<4 {
            let buffer = unsafe buffers.track(index) + offset
            let samples = unsafe load(buffer, count) * strips[index].gain.values(offset: offset)
            unsafe store(samples, buffer, count)
            peaks[index] = peaks[index].atLeast(samples.magnitude)
            left += samples * strips[index].left.values(offset: offset)
            right += samples * strips[index].right.values(offset: offset)
        }
        unsafe store(Limiter.limit(left), buffers.mainLeft + offset, count)
        unsafe store(Limiter.limit(right), buffers.mainRight + offset, count)
    }

    /// Up to eight samples; the lanes beyond are 0.
    @_noLocks @_noAllocation @inline(__always)
    private func load(_ buffer: UnsafeMutablePointer<Float>, _ count: Int) -> Lanes {
        if count == 8 { return unsafe UnsafeRawPointer(buffer).loadUnaligned(as: Lanes.self) }
        var lanes = Lanes.zero
        for lane in 0..<count { lanes[lane] = unsafe buffer[lane] }
        return lanes
    }

    @_noLocks @_noAllocation @inline(__always)
    private func store(_ lanes: Lanes, _ buffer: UnsafeMutablePointer<Float>, _ count: Int) {
        if count == 8 { return unsafe UnsafeMutableRawPointer(buffer).storeBytes(of: lanes, as: Lanes.self) }
        for lane in 0..<count { unsafe buffer[lane] = lanes[lane] }
    }
}
