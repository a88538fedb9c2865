/// The slow rise and fall of held notes that would stand still otherwise, in each lane of a group: what `sway` does.
struct SwayLanes: BitwiseCopyable {
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var depths = Lanes.zero

    /// No sway.
    init() {}

    /// Starts a lane in the middle of its way.
    ///
    /// - Parameters:
    ///   - rate: In Hz.
    ///   - depth: How much louder and quieter it becomes, 0 to 1.
    mutating func start(_ rate: Double, depth: Double, sampleRate: Double, lane: Int) {
        phases[lane] = 0
        increments[lane] = phaseIncrement(rate, sampleRate: sampleRate)
        depths[lane] = Float(depth)
    }

    /// Whether any of these lanes moves.
    func moves(_ owners: LaneOwners) -> Bool { owners.only(depths) != .zero }

    /// The levels of the next frame.
    @_transparent
    mutating func next() -> Lanes {
        phases &+= increments
        return 1 + depths * sine(halfTurns: Lanes(bipolar: phases))
    }
}
