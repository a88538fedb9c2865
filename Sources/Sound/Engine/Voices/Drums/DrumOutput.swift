/// The output stage of a drum: band-pass, saturation, level, and the fade of hits that are cut off.
struct DrumOutput: BitwiseCopyable {
    private var band = BiquadLanes()
    private var hasBand = false
    private var drive: Drive?
    private var gain: Float = 0
    /// How much the gain falls each frame.
    private var slope: Float = 0
    /// Frames until it is silent, while it is being cut off.
    private(set) var framesLeft = Int.max
    private(set) var newest: Float = 0

    var isFading: Bool { framesLeft != .max }

    var hasFaded: Bool { framesLeft == 0 }

    mutating func start(_ drum: borrowing PreparedDrum, _ stroke: Stroke) {
        start(gain: drum.gain, stroke)
        guard let filter = drum.band else {
            drive = drum.drive
            return
        }
        band.setCoefficients(filter.coefficients, lane: 0)
        band.reset(lane: 0)
        (hasBand, drive) = (true, drum.drive)
    }

    /// The gain for a stroke, given the drum's gain.
    static func gain(_ gain: Float, _ stroke: Stroke) -> Float {
        var drift = stroke.drift
        _ = drift.drumDetune()
        let level = Float(stroke.gain) * drift.level()
        return gain * (stroke.isAccent ? level : 0.5 * level)
    }

    /// Starts a hit with only a gain: without band-pass and saturation.
    mutating func start(gain: Float, _ stroke: Stroke) {
        (hasBand, drive) = (false, nil)
        self.gain = DrumOutput.gain(gain, stroke)
        (slope, framesLeft, newest) = (0, .max, 0)
    }

    mutating func fade(frames: Int) {
        guard !isFading else { return }
        slope = gain / Float(frames)
        framesLeft = frames
    }

    /// Adds the drum's next samples to the output, from its parts.
    mutating func render(
        _ parts: UnsafeMutablePointer<Lanes>, adding mix: UnsafeMutablePointer<Lanes>, side: SideBus?, count: Int
    ) {
        if let side {
            for index in 0..<count { unsafe side.add(next(parts[index].total), to: mix, index) }
        } else if hasBand || drive != nil || isFading {
            for index in 0..<count { unsafe mix[index].x += next(parts[index].total) }
        } else {
            let gain = gain
            for index in 0..<count { unsafe mix[index].x += parts[index].total * gain }
            newest = unsafe parts[count - 1].total * gain
        }
    }

    /// The drum's next sample, from the sum of its parts.
    @inline(__always)
    mutating func next(_ sum: Float) -> Float {
        var sample = sum
        if hasBand { sample = band.filter(Lanes(repeating: sample)).x }
        if let drive { sample = drive.apply(sample) }
        if isFading { fadeOn() }
        newest = sample * gain
        return newest
    }

    private mutating func fadeOn() {
        if framesLeft > 0 { framesLeft -= 1 }
        gain = framesLeft == 0 ? 0 : gain - slope
    }
}
