/// Which lanes of a group are played in one way, of several that a group knows.
struct LaneOwners: BitwiseCopyable {
    /// One bit for each lane.
    private(set) var bits: UInt8 = 0
    /// All bits of a lane, or none.
    private var mask = LaneBits.zero

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    mutating func insert(_ lane: Int) {
        bits |= 1 << UInt8(truncatingIfNeeded: lane)
        mask[lane] = .max
    }

    @_noLocks @_noAllocation
    mutating func remove(_ lane: Int) {
        bits &= ~(1 << UInt8(truncatingIfNeeded: lane))
        mask[lane] = 0
    }

    /// What the lanes have, 0 in all others, whatever is there.
    @_noLocks @_noAllocation @_transparent
    func only(_ lanes: Lanes) -> Lanes { Lanes(bits: lanes.bits & mask) }

    /// What the lanes have, and in all others something else.
    @_noLocks @_noAllocation @_transparent
    func only(_ lanes: Lanes, else others: Lanes) -> Lanes {
        Lanes(bits: others.bits ^ ((lanes.bits ^ others.bits) & mask))
    }
}
