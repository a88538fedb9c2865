/// Which lanes of a group are played in one way, of several that a group knows.
struct LaneOwners: BitwiseCopyable {
    /// One bit for each lane.
    private(set) var bits: UInt8 = 0
    /// All bits of a lane, or none.
    private var mask = LaneBits.zero

    mutating func insert(_ lane: Int) {
        bits |= 1 << UInt8(truncatingIfNeeded: lane)
        mask[lane] = .max
    }

    mutating func remove(_ lane: Int) {
        bits &= ~(1 << UInt8(truncatingIfNeeded: lane))
        mask[lane] = 0
    }

    @_transparent
    func contains(_ lane: Int) -> Bool { bits & (1 << UInt8(truncatingIfNeeded: lane)) != 0 }

    /// What the lanes have, 0 in all others, whatever is there.
    @_transparent
    func only(_ lanes: Lanes) -> Lanes { Lanes(bits: lanes.bits & mask) }

    /// What the lanes have, and in all others something else.
    @_transparent
    func only(_ lanes: Lanes, else others: Lanes) -> Lanes {
        Lanes(bits: others.bits ^ ((lanes.bits ^ others.bits) & mask))
    }
}
