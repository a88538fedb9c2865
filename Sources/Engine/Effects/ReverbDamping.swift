/// How fast the reverb dies away: for each line a gain and a one-pole low-pass, so that low frequencies fall by 60 dB in the
/// time that is asked for, and 6 kHz in 0.39 of it.
struct ReverbDamping: BitwiseCopyable {
    /// output = input * gains + output * poles.
    private var gains = ReverbLanes.zero
    private var poles = ReverbLanes.zero
    private var finalGains = ReverbLanes.zero
    private var finalPoles = ReverbLanes.zero
    private var gainSlopes = ReverbLanes.zero
    private var poleSlopes = ReverbLanes.zero
    private var framesLeft = 0
    private var time = 0.0
    private let sampleRate: Double

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        move(to: 1.8, frames: 0)
    }

    /// Sets out for another time in seconds, which the last of so many frames reaches.
    mutating func move(to time: Double, frames: Int) {
        guard time != self.time else { return }
        self.time = time
        for line in 0..<8 {
            let (gain, pole) = coefficients(line)
            finalGains[line] = Float(gain)
            finalPoles[line] = Float(pole)
        }
        framesLeft = frames
        guard frames > 0 else {
            (gains, poles) = (finalGains, finalPoles)
            return
        }
        gainSlopes = (finalGains - gains) / Float(frames)
        poleSlopes = (finalPoles - poles) / Float(frames)
    }

    /// Filters a frame, and moves on.
    @inline(__always)
    mutating func filter(_ input: ReverbLanes, _ previous: ReverbLanes) -> ReverbLanes {
        if framesLeft > 0 { advance() }
        return input * gains + previous * poles
    }

    private mutating func advance() {
        framesLeft -= 1
        gains = framesLeft == 0 ? finalGains : gains + gainSlopes
        poles = framesLeft == 0 ? finalPoles : poles + poleSlopes
    }

    /// The one-pole low-pass with the right gains at 500 Hz and 6 kHz.
    private func coefficients(_ line: Int) -> (gain: Double, pole: Double) {
        // The wandering ends are half their way longer.
        let seconds = ReverbLines.seconds(line) + (line < 4 ? 0.5 * ReverbLines.wander : 0)
        let gain = exponential(logSixtyDecibelsDown * seconds / time)
        // The wandering ends let 6 kHz ring 2 to 6 % longer than the filters alone, as rendering shows: so less than 0.39.
        let ratio = exponential(logSixtyDecibelsDown * seconds / time * (1 / 0.376 - 1))
        let (low, high) = (cosine(turns: 500 / sampleRate), cosine(turns: min(6000 / sampleRate, 0.42)))
        // First as if nothing were lost at 500 Hz, then with what is.
        var (pole, kept) = (0.0, 1.0)
        for _ in 0..<3 {
            // (1 - p)^2 / (1 - 2 p cos + p^2) = power.
            let power = ratio * kept * ratio * kept
            let half = (1 - power * high) / (1 - power)
            pole = half - squareRoot(half * half - 1)
            kept = (1 - pole) / squareRoot(1 - 2 * pole * low + pole * pole)
        }
        return (gain / kept * (1 - pole), pole)
    }
}
