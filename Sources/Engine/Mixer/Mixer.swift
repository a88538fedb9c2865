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

    /// Applies the gains to the buffers of the tracks that sound, adds them to the main buffers, which hold silence, and
    /// limits these; reports the peaks.
    @_noLocks @_noAllocation
    mutating func mix(_ buffers: RtBuffers, count: Int, sounding: TrackSet, peaks: borrowing TrackPeaks) {
        for track in 0..<4 where sounding.contains(track) {
            let peak = unsafe mix(strips[track], buffers.track(track), buffers, count: count)
            peaks.report(peak, track: track)
        }
        unsafe limit(buffers.mainLeft, count: count)
        unsafe limit(buffers.mainRight, count: count)
        advance(count)
    }

    /// Lets frames pass in which nothing sounds.
    @_noLocks @_noAllocation
    mutating func advance(_ count: Int) {
        for index in 0..<4 {
            strips[index].gain.advance(count)
            strips[index].left.advance(count)
            strips[index].right.advance(count)
        }
    }

    @_noLocks @_noAllocation
    private static func gain(of track: Score.TrackScore) -> Float { track.isSilent ? 0 : track.gain }

    /// Mixes one track; returns its peak.
    @_noLocks @_noAllocation
    private func mix(
        _ strip: Strip, _ track: UnsafeMutablePointer<Float>, _ buffers: RtBuffers, count: Int
    ) -> Float {
        var highest = Lanes.zero
        var offset = 0
        while offset < count {
            let four = min(4, count - offset)
            let samples = unsafe load(track + offset, four) * strip.gain.values(offset: offset)
            let left = unsafe load(buffers.mainLeft + offset, four) + samples * strip.left.values(offset: offset)
            let right = unsafe load(buffers.mainRight + offset, four) + samples * strip.right.values(offset: offset)
            unsafe store(samples, track + offset, four)
            unsafe store(left, buffers.mainLeft + offset, four)
            unsafe store(right, buffers.mainRight + offset, four)
            highest = highest.atLeast(samples.magnitude)
            offset += 4
        }
        return highest.max()
    }

    @_noLocks @_noAllocation
    private func limit(_ buffer: UnsafeMutablePointer<Float>, count: Int) {
        var offset = 0
        while offset < count {
            let four = min(4, count - offset)
            unsafe store(Limiter.limit(load(buffer + offset, four)), buffer + offset, four)
            offset += 4
        }
    }

    /// Up to four samples; the lanes beyond are 0.
    @_noLocks @_noAllocation @inline(__always)
    private func load(_ buffer: UnsafeMutablePointer<Float>, _ count: Int) -> Lanes {
        if count == 4 { return unsafe UnsafeRawPointer(buffer).loadUnaligned(as: Lanes.self) }
        var lanes = Lanes.zero
        for lane in 0..<count { lanes[lane] = unsafe buffer[lane] }
        return lanes
    }

    @_noLocks @_noAllocation @inline(__always)
    private func store(_ lanes: Lanes, _ buffer: UnsafeMutablePointer<Float>, _ count: Int) {
        if count == 4 { return unsafe UnsafeMutableRawPointer(buffer).storeBytes(of: lanes, as: Lanes.self) }
        for lane in 0..<count { unsafe buffer[lane] = lanes[lane] }
    }
}
