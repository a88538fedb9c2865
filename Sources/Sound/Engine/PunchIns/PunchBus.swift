/// What punch-ins remember of one bus of a track: its mid or its side.
struct PunchBus: ~Copyable {
    /// What came in during the last two seconds.
    var recent: FrameMemory
    /// The stretch that STUTTER repeats: up to a second, and what came before it.
    let stretch: FixedArray<Float>
    /// What BRAKE still has to play.
    var tape: FrameMemory

    init(_ times: PunchTimes) {
        recent = FrameMemory(longest: times.recentFrames)
        // Written to now, so that the pages are in memory when the callback needs them.
        stretch = FixedArray(count: times.stretchFrames) { _ in 0 }
        tape = FrameMemory(longest: times.tapeFrames)
    }

    var byteCount: Int { recent.byteCount + stretch.count * MemoryLayout<Float>.size + tape.byteCount }

    /// Forgets all sound.
    mutating func reset() {
        recent.reset()
        tape.reset()
    }
}

/// The times of punch-ins in frames.
struct PunchTimes: BitwiseCopyable {
    /// Frames in a second.
    let sampleRate: Double
    /// In which an effect enters or leaves, and another value takes over.
    let fade: Int
    /// In which one repeat of STUTTER goes over into the next.
    let seam: Int
    /// In which FILTER follows the finger: faster, the phase of a bass would catch up so suddenly that it clicks.
    let glide: Int

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        fade = frames(0.005, sampleRate: sampleRate)
        seam = frames(0.003, sampleRate: sampleRate)
        glide = frames(0.05, sampleRate: sampleRate)
    }

    /// The longest stretch that is repeated.
    var second: Int { frames(1, sampleRate: sampleRate) }

    /// The input that is kept.
    var recentFrames: Int { 2 * second }

    /// A repeated stretch, and before it what fades at its seams.
    var stretchFrames: Int { seam + second + 1 }

    /// How far a tape of two seconds is behind when it stands still, until it has faded.
    var tapeFrames: Int { second + 2 * fade + TapePosition.latency + 4 }
}

/// Room for the samples of a stretch while they are computed.
struct PunchScratch: ~Copyable {
    let first = FixedArray<Float>(count: PunchScratch.count) { _ in 0 }
    let second = FixedArray<Float>(count: PunchScratch.count) { _ in 0 }
    let third = FixedArray<Float>(count: PunchScratch.count) { _ in 0 }
    let fourth = FixedArray<Float>(count: PunchScratch.count) { _ in 0 }

    /// A stretch, and a few frames for what is computed four frames at a time.
    private static var count: Int { Stretch.longest + 16 }
}

/// How an effect is mixed into a stretch.
struct PunchMix: BitwiseCopyable {
    /// How much of the track passes through it.
    let wet: GainRamp
    /// 0 while the track is muted, whatever the effect still plays.
    let gate: GainRamp

    /// Replaces a part of a stretch by an effect's samples.
    func apply(_ samples: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, offset: Int, count: Int) {
        if let wet = wet.constant, let gate = gate.constant {
            let (share, rest) = (Lanes(repeating: wet * gate), Lanes(repeating: 1 - wet))
            unsafe mix(samples, output + offset, count: count) { _ in (share, rest) }
        } else {
            unsafe mix(samples, output + offset, count: count) { done in
                let wet = wet.values(offset: offset + done)
                return (wet * gate.values(offset: offset + done), 1 - wet)
            }
        }
    }

    @inline(__always)
    private func mix(
        _ samples: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int,
        _ shares: (_ offset: Int) -> (played: Lanes, dry: Lanes)
    ) {
        var done = 0
        while done < count {
            let part = min(laneCount, count - done)
            let shares = shares(done)
            let (played, dry) = unsafe (Lanes(samples + done, count: part), Lanes(output + done, count: part))
            unsafe (played * shares.played + dry * shares.dry).store(in: output + done, count: part)
            done += part
        }
    }
}
