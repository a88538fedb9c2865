/// Four numbers that go exponentially to their ends, each at its own speed.
struct LaneSlide: BitwiseCopyable {
    private var distances = Lanes.zero
    private var factors = Lanes.zero
    private var ends = Lanes.zero

    /// Starts a lane's number.
    ///
    /// - Parameters:
    ///   - frames: Until 0.001 of the way is left; 0 for at once.
    mutating func start(_ start: Double, to end: Double, frames: Double, lane: Int) {
        let moves = frames > 0 && start != end
        distances[lane] = moves ? Float(start - end) : 0
        factors[lane] = moves ? Float(factorPerFrame(logRatio: logSixtyDecibelsDown, frames: frames)) : 0
        // Never 0: beside that, what ``settle()`` forgets would count, and when it does is up to the period.
        ends[lane] = end == 0 ? 1e-9 : Float(end)
    }

    /// The numbers of the next frame.
    @_transparent
    mutating func next() -> Lanes {
        defer { distances *= factors }
        return present
    }

    /// The numbers of the next frame, which stay the next.
    var present: Lanes { ends + distances }

    /// Whether all have arrived.
    var isSettled: Bool { distances == .zero }

    /// Forgets distances too small to tell, before they get slow to compute with.
    mutating func settle() {
        distances.replace(with: 0, where: distances.magnitude .< 1e-20)
    }
}
