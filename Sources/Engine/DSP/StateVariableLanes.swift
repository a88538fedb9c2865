/// Four low-passes of two poles whose frequencies may move at every frame: the topology-preserving state-variable filter
/// (Vadim Zavalishin, "The Art of VA Filter Design").
struct StateVariableLanes: BitwiseCopyable {
    /// tan(pi * frequency / sample rate), on its way.
    private var g = LaneSlide()
    /// 1/Q.
    private var damping = Lanes.zero
    private var state1 = Lanes.zero
    private var state2 = Lanes.zero

    @_noLocks @_noAllocation
    init() {}

    /// Starts a lane's filter with frequencies in turns a frame, below half a turn.
    @_noLocks @_noAllocation
    mutating func start(_ start: Double, to end: Double, frames: Double, q: Double, lane: Int) {
        g.start(
            StateVariableLanes.tangent(start), to: StateVariableLanes.tangent(end), frames: frames, lane: lane)
        damping[lane] = Float(1 / q)
        state1[lane] = 0
        state2[lane] = 0
    }

    @_noLocks @_noAllocation
    private static func tangent(_ turns: Double) -> Double { sine(turns: 0.5 * turns) / cosine(turns: 0.5 * turns) }

    /// Filters one sample of each lane.
    ///
    /// The states follow from each other by one product and two sums; what depends on the frequencies alone is computed
    /// beside that. Step by step as in the book, a frame would wait three times as long for the one before.
    @_noLocks @_noAllocation @_transparent
    mutating func filter(_ input: Lanes) -> Lanes {
        let g = g.next()
        let twice = 2 / (1 + g * (g + damping))
        let cross = g * twice
        let rest = input - state2
        let before = state2
        state2 = (state2 + cross * state1) + g * cross * rest
        // Not (twice - 1) * state1: that LLVM computes lane by lane.
        state1 = (twice * state1 - state1) + cross * rest
        return 0.5 * (before + state2)
    }

    /// See ``LaneSlide/settle()``.
    @_noLocks @_noAllocation
    mutating func settle() { g.settle() }
}
