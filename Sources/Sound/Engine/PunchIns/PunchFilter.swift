import Instrument
import Music

/// FILTER: a low-pass on the left half of its range, a high-pass on the right.
///
/// Both run while it is held, and one fades into the other when the finger crosses the middle, so each has its state by
/// then. They are state-variable filters (Vadim Zavalishin, "The Art of VA Filter Design") in double precision. As in
/// ``TrackFilter``, the coefficients are computed every 32 frames of the control grid and move in straight lines, a grid
/// point behind the finger.
struct PunchFilter: BitwiseCopyable {
    private let times: PunchTimes
    private(set) var wet = GainRamp(0)
    /// Where the finger is, 0 to 1.
    private var amount = GainRamp(0.5)
    /// How much of the high-pass is heard, and not of the low-pass.
    private var highShare = GainRamp(0)
    /// The coefficients at the last point of the grid and at the next, and the amount that the latter is for.
    private var from = FilterPair.zero
    private var to = FilterPair.zero
    private var value: Float = .nan
    private var mid = FilterPairState()
    private var side = FilterPairState()
    private var input: StripInput

    init(_ times: PunchTimes) {
        self.times = times
        input = StripInput(after: 0.005, sampleRate: times.sampleRate)
    }

    /// Whether it is heard.
    var isOpen: Bool { wet.isOpen }

    private var isSilent: Bool { mid.isSilent && side.isSilent }

    /// Whether nothing is left inside after so many frames.
    func hasEnded(by frame: Int64) -> Bool { isSilent && input.hasEnded(by: frame) }

    /// Whether anything is left of the side.
    var hasSide: Bool { !side.isSilent }

    // MARK: Control

    /// Follows its holder.
    mutating func hold(_ punchIn: PunchIn) {
        amount.move(to: Float(punchIn.amount), frames: times.glide)
        if !wet.isOpen {
            amount.arrive()
            reset()
        }
        wet.move(to: 1, frames: times.fade)
    }

    mutating func letGo() { wet.move(to: 0, frames: times.fade) }

    mutating func advance(_ count: Int) {
        wet.advance(count)
        amount.advance(count)
    }

    /// What is remembered while everything is silent.
    struct Memory: BitwiseCopyable {
        var wet: GainRamp
        var amount: GainRamp
    }

    var memory: Memory { Memory(wet: wet, amount: amount) }

    /// Forgets all sound, and remembers this instead.
    mutating func restore(_ memory: Memory) {
        reset()
        (wet, amount) = (memory.wet, memory.amount)
    }

    /// Forgets all sound.
    mutating func reset() {
        (mid, side) = (FilterPairState(), FilterPairState())
        input.reset()
    }

    // MARK: Sound

    /// Filters a stretch.
    mutating func render(_ stretch: Stretch, gate: GainRamp, _ scratch: borrowing PunchScratch) {
        input.read(stretch)
        let mix = PunchMix(wet: wet, gate: gate)
        let count = wet.openFrames(atMost: stretch.count)
        var done = 0
        while done < count {
            let frame = stretch.frame + Int64(done)
            let passed = stretch.grid.passed(at: frame, step: TrackFilter.step)
            if passed == 0 {
                if input.hasEnded(by: frame) { settle() }
                turn(to: amount.value(offset: done))
            }
            var part = min(TrackFilter.step - passed, count - done)
            if let waking = input.waking, done <= waking, waking < done + part, isSilent {
                if done < waking {
                    part = waking - done
                } else {
                    begin(at: amount.value(offset: done))
                }
            }
            unsafe run(&mid, stretch.mid, mix, offset: done, count: part, passed: passed, scratch)
            if let samples = unsafe stretch.side {
                unsafe run(&side, samples, mix, offset: done, count: part, passed: passed, scratch)
            }
            highShare.advance(part)
            done += part
        }
    }

    /// Forgets what nobody hears.
    private mutating func settle() {
        if mid.isQuiet, side.isQuiet { (mid, side) = (FilterPairState(), FilterPairState()) }
    }

    /// Begins at an amount, after silence.
    private mutating func begin(at amount: Float) {
        prepare(amount)
        from = to
        highShare = GainRamp(amount < 0.5 ? 0 : 1)
    }

    /// Continues at a point of the grid towards an amount.
    private mutating func turn(to amount: Float) {
        from = to
        prepare(amount)
        highShare.move(to: amount < 0.5 ? 0 : 1, frames: times.fade)
    }

    private mutating func prepare(_ amount: Float) {
        guard amount != value else { return }
        value = amount
        to = FilterPair(Double(amount), sampleRate: times.sampleRate)
    }

    private func run(
        _ state: inout FilterPairState, _ samples: UnsafeMutablePointer<Float>, _ mix: PunchMix, offset: Int,
        count: Int,
        passed: Int, _ scratch: borrowing PunchScratch
    ) {
        let (low, high) = unsafe (scratch.first.elements, scratch.second.elements)
        unsafe state.run(samples + offset, low, high, count: count, from, to, passed: passed)
        var done = 0
        while done < count {
            let share = highShare.values(offset: done)
            let (first, second) = unsafe (Lanes(low + done, count: laneCount), Lanes(high + done, count: laneCount))
            unsafe (first * (1 - share) + second * share).store(in: low + done, count: laneCount)
            done += laneCount
        }
        unsafe mix.apply(low, to: samples, offset: offset, count: count)
    }
}

/// What a low-pass and a high-pass, in this order, multiply with.
struct FilterPair: BitwiseCopyable {
    /// Twice the factors of their states.
    private(set) var twice: SIMD2<Double>
    private(set) var cross: SIMD2<Double>
    private(set) var high: SIMD2<Double>

    static var zero: FilterPair { FilterPair(twice: .zero, cross: .zero, high: .zero) }

    /// 1/Q.
    static var damping: Double { 1 / 1.4 }

    private init(twice: SIMD2<Double>, cross: SIMD2<Double>, high: SIMD2<Double>) {
        (self.twice, self.cross, self.high) = (twice, cross, high)
    }

    /// The coefficients for an amount.
    init(_ amount: Double, sampleRate: Double) {
        let low = StateVariableLanes.tangent(PunchFrequency.lowPass(amount) / sampleRate)
        let high = StateVariableLanes.tangent(PunchFrequency.highPass(amount) / sampleRate)
        let g = SIMD2(low, high)
        let first = 1 / (1 + g * (g + FilterPair.damping))
        self.init(twice: 2 * first, cross: 2 * g * first, high: 2 * g * g * first)
    }

    func isSame(as other: FilterPair) -> Bool {
        twice == other.twice && cross == other.cross && high == other.high
    }

    /// The way to another one, for each frame.
    func slope(to other: FilterPair) -> FilterPair {
        let share = 1 / Double(TrackFilter.step)
        return FilterPair(
            twice: (other.twice - twice) * share, cross: (other.cross - cross) * share,
            high: (other.high - high) * share)
    }

    /// So many frames further.
    @inline(__always)
    func moved(by slope: FilterPair, _ frames: Double) -> FilterPair {
        FilterPair(
            twice: twice + slope.twice * frames, cross: cross + slope.cross * frames, high: high + slope.high * frames)
    }
}

/// The cutoff frequencies of FILTER in Hz.
enum PunchFrequency {
    /// From 18 kHz in the middle down to 120 Hz at the left.
    static func lowPass(_ amount: Double) -> Double {
        // ln(18000/120)
        18_000 * exponential(-max(0, 1 - 2 * amount) * 5.010_635_294_096_256)
    }

    /// From 25 Hz in the middle up to 4 kHz at the right.
    static func highPass(_ amount: Double) -> Double {
        // ln(4000/25)
        25 * exponential(max(0, 2 * amount - 1) * 5.075_173_815_233_827)
    }
}

/// The state of a low-pass and a high-pass that have the same input.
struct FilterPairState: BitwiseCopyable {
    private var first = SIMD2<Double>.zero
    private var second = SIMD2<Double>.zero

    var isSilent: Bool { first == .zero && second == .zero }

    /// Whether nobody hears what is left: below -140 dBFS.
    var isQuiet: Bool {
        let most = max(max(abs(first.x), abs(first.y)), max(abs(second.x), abs(second.y)))
        return most < 1e-7
    }

    /// Filters samples. The recursion is arranged as in ``StateVariableLanes``, so that a frame waits for few results of
    /// the one before.
    mutating func run(
        _ input: UnsafePointer<Float>, _ low: UnsafeMutablePointer<Float>, _ high: UnsafeMutablePointer<Float>,
        count: Int, _ from: FilterPair, _ to: FilterPair, passed: Int
    ) {
        var (first, second) = (first, second)
        let (isConstant, slope) = (from.isSame(as: to), from.slope(to: to))
        for index in 0..<count {
            let factors = isConstant ? to : from.moved(by: slope, Double(passed + index))
            let sample = unsafe Double(input[index])
            let rest = sample - second
            let (firstBefore, secondBefore) = (first, second)
            second = (second + factors.cross * first) + factors.high * rest
            first = (factors.twice * firstBefore - firstBefore) + factors.cross * rest
            // Both are the means of the states before and after.
            let lowPass = 0.5 * (secondBefore + second)
            let bandPass = 0.5 * (firstBefore.y + first.y)
            unsafe low[index] = Float(lowPass.x)
            unsafe high[index] = Float(sample - FilterPair.damping * bandPass - lowPass.y)
        }
        (self.first, self.second) = (first, second)
    }
}
