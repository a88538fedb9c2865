/// Four oscillators that read tables.
struct TableLanes: BitwiseCopyable {
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var bases = LaneBits.zero

    @_noLocks @_noAllocation
    init() {}

    /// Starts a lane on the table that begins at a base, from a phase on; it advances by so much of 2^32 a frame.
    @_noLocks @_noAllocation
    mutating func start(base: UInt32, phase: UInt32 = 0, increment: UInt32, lane: Int) {
        phases[lane] = phase
        increments[lane] = increment
        bases[lane] = base
    }

    /// The next sample of each lane.
    @_noLocks @_noAllocation @_transparent
    mutating func next(_ reader: TableReader) -> Lanes {
        phases &+= increments
        return reader.read(phases, bases)
    }
}
