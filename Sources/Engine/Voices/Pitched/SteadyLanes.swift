/// Four voices that are an oscillator through a steady low-pass. In a bank all have the same oscillator.
struct SteadyLanes: ~Copyable {
    var owners = LaneOwners()
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var isTable = false
    private var bases = LaneBits.zero
    private var filter = LowPassLanes()

    init() {}

    /// Starts a voice in a lane, at the beginning of its waveform.
    @_noLocks @_noAllocation
    mutating func start(_ voice: PreparedSteadyVoice, increment: UInt32, lane: Int) {
        phases[lane] = 0
        increments[lane] = increment
        isTable = voice.isTable
        bases[lane] = voice.base
        filter.setCoefficients(voice.filter.coefficients, lane: lane)
        filter.reset(lane: lane)
        owners.insert(lane)
    }

    /// Adds the voices to the output; returns what they added to the last frame.
    @_noLocks @_noAllocation
    mutating func render(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        unsafe isTable
            ? renderTables(&envelope, reader, adding: output, count: count)
            : renderSines(&envelope, adding: output, count: count)
    }

    // The loops work on copies of the state, which the compiler keeps in registers.

    @_noLocks @_noAllocation
    private mutating func renderSines(
        _ envelope: inout EnvelopeLanes, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        var (phases, filter, lanes) = (self.phases, self.filter, envelope)
        let (increments, owners) = (self.increments, self.owners)
        var newest = Lanes.zero
        for index in 0..<count {
            phases &+= increments
            newest = owners.only(filter.filter(sine(halfTurns: Lanes(bipolar: phases))) * lanes.next())
            unsafe output[index] += newest
        }
        (self.phases, self.filter, envelope) = (phases, filter, lanes)
        return newest
    }

    @_noLocks @_noAllocation
    private mutating func renderTables(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        var (phases, filter, lanes) = (self.phases, self.filter, envelope)
        let (increments, owners, bases) = (self.increments, self.owners, self.bases)
        var newest = Lanes.zero
        for index in 0..<count {
            phases &+= increments
            newest = owners.only(filter.filter(reader.read(phases, bases)) * lanes.next())
            unsafe output[index] += newest
        }
        (self.phases, self.filter, envelope) = (phases, filter, lanes)
        return newest
    }
}
