/// A two-channel effect that rests while it is inaudible, and computes up to four frames at once.
protocol RestingEffect: ~Copyable {
    var quiet: Quiet { get set }
    /// How many frames can be computed at once, 1 to 4.
    var framesAtOnce: Int { get }

    /// Forgets everything, and finishes the changes that are under way.
    mutating func reset()
    /// The next frames of the left and the right channel; only the first `count` of the four are valid.
    mutating func next(_ samples: Lanes, count: Int) -> (Lanes, Lanes)
}

extension RestingEffect where Self: ~Copyable {
    /// Whether the output stays silent until there is input.
    var isSilent: Bool { quiet.isReached }

    mutating func render(
        _ input: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        var frame = 0
        while frame < count {
            if quiet.isReached {
                // Wakes at the first frame with input, whatever the period.
                if unsafe input[frame] == 0 {
                    frame += 1
                    continue
                }
                wake()
            }
            // The effect can rest only after the last of these frames.
            let part = min(min(framesAtOnce, count - frame), quiet.framesLeft)
            let samples = unsafe Lanes(input + frame, count: part)
            let (leftSamples, rightSamples) = next(samples, count: part)
            unsafe leftSamples.store(in: left + frame, count: part)
            unsafe rightSamples.store(in: right + frame, count: part)
            quiet.hear(samples.magnitude.atLeast(leftSamples.magnitude).atLeast(rightSamples.magnitude), count: part)
            frame += part
        }
    }

    /// Falls silent at once, and rests.
    mutating func rest() {
        reset()
        quiet.reach()
    }

    /// Forgets what is left inside, and listens for as long as a sound can stay inside, even if the input is quiet: else
    /// it would wake for every single frame of such an input.
    private mutating func wake() {
        reset()
        quiet.restart()
    }
}

/// Counts how long an effect has been quiet, to the frame: once everything in it is below -96 dBFS, it may rest.
struct Quiet: BitwiseCopyable {
    private var frames = 0
    private let enough: Int

    /// - Parameter frames: How long a sound can stay inside without being heard, in frames.
    init(after frames: Int) {
        enough = frames
        self.frames = frames
    }

    /// Whether the effect may rest.
    var isReached: Bool { frames >= enough }

    /// Frames until it may rest at the earliest; 0 when it may.
    var framesLeft: Int { enough - frames }

    /// Lets the effect rest.
    mutating func reach() { frames = enough }

    /// Begins to count anew.
    mutating func restart() { frames = 0 }

    /// Reads the loudest input and output of up to four frames.
    @_transparent
    mutating func hear(_ levels: Lanes, count: Int) {
        for lane in 0..<laneCount where lane < count { frames = levels[lane] < 1.5e-5 ? frames + 1 : 0 }
    }
}
