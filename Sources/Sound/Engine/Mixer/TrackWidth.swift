/// Spreads a track over both sides: a delayed copy, which is added to the left and taken from the right, so that their sum
/// stays as it is.
///
/// The delay moves by 1.5 ms around 6.5 ms, beginning where the part wakes. The copy passes a high-pass at 150 Hz.
struct TrackWidth: ~Copyable {
    private var line: DelayLine
    private var state = FilterState()
    private let highPass: FilterCoefficients
    /// Frames in a second.
    private let sampleRate: Double
    /// Frames since it woke.
    private var age = 0
    /// The delay in frames at the last of the points that come every 32 frames after it woke, and how it moves.
    private var (delay, slope) = (0.0, 0.0)
    private var isOff = true
    /// Whether it woke while the track sounded: its copy then fades in.
    private var fadesIn = false
    /// When its own input sounds: the filter before it rings on after the voices. Its tail ends 40 ms later.
    private var input: StripInput
    private let (longest, fade): (Int, Int)

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        longest = frames(0.008, sampleRate: sampleRate) + 4
        fade = frames(Fade.seconds, sampleRate: sampleRate)
        line = DelayLine(longest: longest + 4)
        highPass = FilterCoefficients(
            turns: 150 / sampleRate, q: BiquadCoefficients.butterworth, isHigh: true, wet: 1)
        input = StripInput(after: TrackWidth.tail, sampleRate: sampleRate)
    }

    /// How long it sounds after its input, in seconds.
    static var tail: Double { 0.04 }

    /// Whether a value may be heard.
    func isOn(_ amount: GainLine) -> Bool { amount.constant != 0 }

    /// Forgets all sound.
    mutating func reset() {
        isOff = true
        input.reset()
    }

    /// Whether nothing is left inside at a frame.
    func hasEnded(by frame: Int64) -> Bool { input.hasEnded(by: frame) }

    /// Takes the copy of mid, times the amount, from the side.
    mutating func render(_ stretch: Stretch, _ side: UnsafeMutablePointer<Float>, _ amount: GainLine) {
        input.read(stretch)
        if isOff { begin(fadesIn: input.waking != 0) }
        var done = 0
        while done < stretch.count {
            if done == input.waking { begin(fadesIn: false) }
            var end = stretch.count
            if let waking = input.waking, done < waking { end = waking }
            // Up to four frames at once, between two points of the grid.
            let count = min(laneCount - age % laneCount, end - done)
            unsafe render(stretch.mid + done, side + done, count: count) { amount.value(offset: done + $0) }
            done += count
        }
    }

    @inline(__always)
    private mutating func render(
        _ mid: UnsafeMutablePointer<Float>, _ side: UnsafeMutablePointer<Float>, count: Int,
        times amount: (_ index: Int) -> Float
    ) {
        let passed = age % TrackFilter.step
        if passed == 0 {
            delay = delay(at: age)
            slope = (delay(at: age + TrackFilter.step) - delay) / Double(TrackFilter.step)
        }
        line.write(unsafe Lanes(mid, count: count), count: count)
        var state = state
        let (point, slope) = (delay, slope)
        for index in 0..<count {
            let late = tap(point + slope * Double(passed + index), count - index)
            let copy = state.next(SIMD2(Double(late), 0), highPass.numbers).x
            unsafe side[index] -= amount(index) * share(at: age + index) * Float(copy)
        }
        self.state = state
        age += count
    }

    /// How much of the copy is heard.
    @inline(__always)
    private func share(at age: Int) -> Float {
        guard fadesIn, age < longest + fade else { return 1 }
        return age < longest ? 0 : Float(age - longest) / Float(fade)
    }

    private mutating func begin(fadesIn: Bool) {
        line.reset()
        state = FilterState()
        (age, isOff, self.fadesIn) = (0, false, fadesIn)
    }

    /// The sample a delay before a frame, between the written ones by Lagrange's polynomial of third order.
    ///
    /// - Parameter written: Frames written since, with that one.
    @inline(__always)
    private func tap(_ delay: Double, _ written: Int) -> Float {
        let whole = Int(delay) + 1
        // How far it is beyond the older of the two samples beside it.
        let x = Float(Double(whole) - delay)
        let (before, after, end) = (x + 1, x - 1, x - 2)
        let (inner, outer) = (x * after, before * end)
        let weights = Lanes(
            inner * end * (-1.0 / 6), outer * after * 0.5, outer * x * -0.5, inner * before * (1.0 / 6))
        return (line.read(whole + 1 + written) * weights).total
    }

    private func delay(at age: Int) -> Double {
        let turns = 0.6 * Double(age) / sampleRate
        return sampleRate * (0.006_5 + 0.001_5 * sine(turns: turns - Double(Int64(turns))))
    }

    /// 1 / sqrt(1 + w^2) for w from 0 to 1.
    @inline(__always)
    static func norm(_ w: Lanes) -> Lanes {
        let sum = 1 + w * w
        // A line near it, then Newton's method.
        var y = 1.271 - 0.284 * sum
        for _ in 0..<3 { y = y * (1.5 - 0.5 * sum * y * y) }
        // At 0 the track is exactly as without width.
        return y.replacing(with: 1, where: w .== 0)
    }
}
