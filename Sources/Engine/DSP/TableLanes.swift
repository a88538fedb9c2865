/// Four oscillators that read tables.
struct TableLanes: BitwiseCopyable {
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var bases = LaneBits.zero

    /// Starts a lane on the table that begins at a base, from a phase on; it advances by so much of 2^32 a frame.
    mutating func start(base: UInt32, phase: UInt32 = 0, increment: UInt32, lane: Int) {
        phases[lane] = phase
        increments[lane] = increment
        bases[lane] = base
    }

    /// The next sample of lanes that are all sines: computed, which is faster than looking it up.
    @_transparent
    mutating func nextSines() -> Lanes {
        phases &+= increments
        return sine(halfTurns: Lanes(bipolar: phases))
    }

    /// The next sample of each lane.
    @_transparent
    mutating func next(_ reader: TableReader) -> Lanes {
        phases &+= increments
        return reader.read(phases, bases)
    }
}
