/// A feedback delay network (Jot and Chaigne, "Digital delay networks for designing artificial reverberators", AES 1991;
/// J. O. Smith, "Physical Audio Signal Processing"): a predelay, four allpasses that thicken, and eight lines that feed each
/// other through a Hadamard matrix, each with a low-pass by which high frequencies die away sooner.
struct Reverb: ~Copyable {
    private var predelay: DelayLine
    private var diffusers: FixedArray<Allpass>
    private var lines: ReverbLines
    private let predelayFrames: Int
    private var damping: ReverbDamping
    private var quiet: Quiet

    /// A silent reverb; one that reverberates for 1.8 s.
    init(sampleRate: Double) {
        predelayFrames = frames(0.01, sampleRate: sampleRate)
        predelay = DelayLine(longest: predelayFrames)
        let seconds = [0.00477, 0.0036, 0.01273, 0.00931]
        diffusers = FixedArray(count: 4) { Allpass(frames: frames(seconds[$0], sampleRate: sampleRate)) }
        lines = ReverbLines(sampleRate: sampleRate)
        damping = ReverbDamping(sampleRate: sampleRate)
        // Through the predelay, the allpasses and the longest line.
        quiet = Quiet(after: frames(0.12, sampleRate: sampleRate))
    }

    /// Whether nothing comes out as long as nothing goes in.
    var isSilent: Bool { quiet.isReached }

    /// Sets out for another time in which the sound falls by 60 dB, in seconds.
    mutating func move(to time: Double, frames: Int) {
        damping.move(to: time, frames: isSilent ? 0 : frames)
    }

    /// Is where it was bound for, and silent.
    mutating func reset() {
        predelay.reset()
        for index in 0..<4 { unsafe diffusers.elements[index].reset() }
        lines.reset()
    }

    /// Reverberates a block.
    mutating func render(
        _ input: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        for frame in 0..<count {
            let sample = unsafe input[frame]
            if quiet.isReached {
                // Wakes with the very frame on which something comes, whatever the periods.
                if sample == 0 { continue }
                reset()
            }
            let (leftSample, rightSample) = reverberate(sample)
            unsafe left[frame] = leftSample
            unsafe right[frame] = rightSample
            quiet.hear(max(abs(sample), max(abs(leftSample), abs(rightSample))))
        }
    }

    @inline(__always)
    private mutating func reverberate(_ sample: Float) -> (Float, Float) {
        var sent = predelay.read(predelayFrames)
        predelay.write(sample)
        unsafe sent = diffusers.elements[0].filter(sent)
        unsafe sent = diffusers.elements[1].filter(sent)
        unsafe sent = diffusers.elements[2].filter(sent)
        unsafe sent = diffusers.elements[3].filter(sent)
        return lines.next(sent, &damping)
    }
}

/// Schroeder's allpass: passes all frequencies alike, one after the other.
struct Allpass: ~Copyable {
    private var line: DelayLine
    private let frames: Int

    init(frames: Int) {
        self.frames = frames
        line = DelayLine(longest: frames)
    }

    /// Filters a sample.
    @inline(__always)
    mutating func filter(_ input: Float) -> Float {
        let delayed = line.read(frames)
        let output = delayed - 0.6 * input
        line.write(input + 0.6 * output)
        return output
    }

    /// Forgets everything.
    mutating func reset() { line.reset() }
}
