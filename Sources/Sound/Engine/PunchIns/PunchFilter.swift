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
    /// What is left inside.
    private var state = FilterPairState()
    private var input: StripInput

    init(_ times: PunchTimes) {
        self.times = times
        input = StripInput(after: 0.005, sampleRate: times.sampleRate)
    }

    /// Whether it is heard.
    var isOpen: Bool { wet.isOpen }

    private var isSilent: Bool { state.isSilent }

    /// Whether nothing is left inside at a frame.
    func hasEnded(by frame: Int64) -> Bool { isSilent && input.hasEnded(by: frame) }

    /// Whether anything is left of the side.
    var hasSide: Bool { state.hasSide }

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
        state = FilterPairState()
        input.reset()
    }

    // MARK: Sound

    /// Filters a stretch.
    mutating func render(_ stretch: Stretch, gate: GainRamp, _ scratch: borrowing PunchScratch) {
        input.read(stretch)
        let count = wet.openFrames(atMost: stretch.count)
        var done = 0
        while done < count {
            let frame = stretch.frame + Int64(done)
            let passed = stretch.grid.passed(at: frame, step: TrackFilter.step)
            if passed == 0 {
                if input.hasEnded(by: frame), state.isQuiet { state = FilterPairState() }
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
            run(stretch, MovingFactors(from, to, passed: passed), gate: gate, offset: done, count: part, scratch)
            highShare.advance(part)
            done += part
        }
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

    /// Filters a part of a stretch.
    private mutating func run(
        _ stretch: Stretch, _ factors: MovingFactors, gate: GainRamp, offset: Int, count: Int,
        _ scratch: borrowing PunchScratch
    ) {
        let mid = unsafe stretch.mid + offset
        let side = unsafe stretch.side.map { unsafe $0 + offset }
        if let mix = steadyMix(gate: gate), factors.isConstant {
            return unsafe state.run(mid, side, count: count, factors.to, mix)
        }
        let (low, high) = unsafe (scratch.first.elements, scratch.second.elements)
        let (sideLow, sideHigh) = unsafe (scratch.third.elements, scratch.fourth.elements)
        for index in 0..<count {
            let sides = unsafe SIMD2(mid[index], side?[index] ?? 0)
            let output = state.next(sides, factors[index])
            unsafe (low[index], high[index], sideLow[index], sideHigh[index]) =
                (output.x, output.y, output.z, output.w)
        }
        unsafe mix(low, high, into: mid, gate: gate, offset: offset, count: count)
        if let side = unsafe side {
            unsafe mix(sideLow, sideHigh, into: side, gate: gate, offset: offset, count: count)
        }
    }

    /// How it is mixed while nothing of that moves.
    private func steadyMix(gate: GainRamp) -> FilterMix? {
        guard let wet = wet.constant, let gate = gate.constant, let share = highShare.constant else { return nil }
        return FilterMix(low: 1 - share, high: share, filtered: wet * gate, dry: 1 - wet)
    }

    /// Mixes what the filters make of a part of a stretch into it.
    private func mix(
        _ low: UnsafePointer<Float>, _ high: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>,
        gate: GainRamp, offset: Int, count: Int
    ) {
        var done = 0
        while done < count {
            let part = min(laneCount, count - done)
            let (wet, gate) = (wet.values(offset: offset + done), gate.values(offset: offset + done))
            let share = highShare.values(offset: done)
            let (first, second) = unsafe (Lanes(low + done, count: laneCount), Lanes(high + done, count: laneCount))
            let filtered = first * (1 - share) + second * share
            let dry = unsafe Lanes(samples + done, count: part)
            unsafe (filtered * (wet * gate) + dry * (1 - wet)).store(in: samples + done, count: part)
            done += part
        }
    }
}
