/// Four numbers that go exponentially to their ends, each at its own speed.
struct LaneSlide: BitwiseCopyable {
    private var distances = Lanes.zero
    private var factors = Lanes.zero
    private var ends = Lanes.zero

    @_noLocks @_noAllocation
    init() {}

    /// Starts a lane's number.
    ///
    /// - Parameters:
    ///   - frames: Until 0.001 of the way is left; 0 for at once.
    @_noLocks @_noAllocation
    mutating func start(_ start: Double, to end: Double, frames: Double, lane: Int) {
        distances[lane] = frames > 0 ? Float(start - end) : 0
        factors[lane] = frames > 0 ? Float(factorPerFrame(logRatio: logSixtyDecibelsDown, frames: frames)) : 0
        ends[lane] = Float(end)
    }

    /// The numbers of the next frame.
    @_noLocks @_noAllocation @_transparent
    mutating func next() -> Lanes {
        defer { distances *= factors }
        return ends + distances
    }

    /// Forgets distances too small to tell, before they get slow to compute with.
    @_noLocks @_noAllocation
    mutating func settle() {
        distances.replace(with: 0, where: distances.magnitude .< 1e-20)
    }
}
