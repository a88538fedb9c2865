/// Four low-passes of two poles whose frequencies may move at every frame: the topology-preserving state-variable filter
/// (Vadim Zavalishin, "The Art of VA Filter Design").
struct StateVariableLanes: BitwiseCopyable {
    /// tan(pi * frequency / sample rate), sliding.
    private var g = LaneSlide()
    /// 1/Q.
    private var damping = Lanes.zero
    private var state1 = Lanes.zero
    private var state2 = Lanes.zero

    /// Starts a lane's filter with the ``tangent(_:)`` of its first and last frequency.
    mutating func start(_ start: Double, to end: Double, frames: Double, q: Double, lane: Int) {
        g.start(start, to: end, frames: frames, lane: lane)
        damping[lane] = Float(1 / q)
        state1[lane] = 0
        state2[lane] = 0
    }

    /// The filter's g for a frequency in cycles per frame, below 0.5.
    static func tangent(_ turns: Double) -> Double { sine(turns: 0.5 * turns) / cosine(turns: 0.5 * turns) }

    struct Coefficients: BitwiseCopyable {
        fileprivate let twice: Lanes
        fileprivate let cross: Lanes
        fileprivate let high: Lanes

        @_transparent
        fileprivate init(_ g: Lanes, _ damping: Lanes) {
            twice = 2 / (1 + g * (g + damping))
            cross = g * twice
            high = g * cross
        }
    }

    /// Whether all frequencies are constant, and so are the coefficients.
    var isSettled: Bool { g.isSettled }

    /// The coefficients of the next frame, without advancing.
    var present: Coefficients {
        @_transparent get { Coefficients(g.present, damping) }
    }

    @_transparent
    mutating func next() -> Coefficients { Coefficients(g.next(), damping) }

    /// Stops the slide of a lane whose voice has ended.
    mutating func stop(_ lane: Int) { g.stop(lane) }

    /// Filters one sample of each lane; the result is twice as loud.
    ///
    /// Rearranged so that a frame depends on the previous one through one product and two sums; everything else is
    /// computed in parallel. In the textbook form the dependency is three times as long.
    @_transparent
    mutating func filter(_ input: Lanes, _ coefficients: Coefficients) -> Lanes {
        let rest = input - state2
        let before = state2
        state2 = (state2 + coefficients.cross * state1) + coefficients.high * rest
        // Not (twice - 1) * state1, which LLVM computes lane by lane.
        state1 = (coefficients.twice * state1 - state1) + coefficients.cross * rest
        return before + state2
    }

    /// See ``LaneSlide/settle()``.
    mutating func settle() { g.settle() }
}
