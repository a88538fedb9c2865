/// What a track's notes are made of.
enum Oscillator: BitwiseCopyable {
    case sine
    /// A table, and where it begins.
    case table(TableReader, base: UInt32)
}

/// Four pitched voices: oscillator, low-pass, envelope.
struct PitchedGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var filter: LowPassLanes

    init(filter: LowPassLanes) {
        self.filter = filter
    }

    /// Starts a voice in a lane, at the beginning of its waveform.
    @_noLocks @_noAllocation
    mutating func start(_ shape: EnvelopeShape, increment: UInt32, lane: Int, at frame: Int64) {
        phases[lane] = 0
        increments[lane] = increment
        filter.reset(lane: lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the voices to the output, `count` frames from `frame` on.
    @_noLocks @_noAllocation
    mutating func render(
        _ oscillator: Oscillator, adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int
    ) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            let output = unsafe output + stretch.lowerBound
            switch oscillator {
            case .sine: unsafe renderSines(adding: output, count: stretch.count)
            case .table(let reader, let base):
                unsafe renderTable(reader, LaneBits(repeating: base), adding: output, count: stretch.count)
            }
        }
    }

    // The loops work on copies of the state, which the compiler keeps in registers.

    @_noLocks @_noAllocation
    private mutating func renderSines(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (phases, filter, values) = (self.phases, self.filter, envelopes.values)
        let (increments, factors, slopes) = (self.increments, envelopes.factors, envelopes.slopes)
        for index in 0..<count {
            phases &+= increments
            values = values * factors + slopes
            unsafe output[index] += filter.filter(sine(halfTurns: Lanes(bipolar: phases))) * values
        }
        (self.phases, self.filter, envelopes.values) = (phases, filter, values)
    }

    @_noLocks @_noAllocation
    private mutating func renderTable(
        _ reader: TableReader, _ bases: LaneBits, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) {
        var (phases, filter, values) = (self.phases, self.filter, envelopes.values)
        let (increments, factors, slopes) = (self.increments, envelopes.factors, envelopes.slopes)
        for index in 0..<count {
            phases &+= increments
            values = values * factors + slopes
            unsafe output[index] += filter.filter(reader.read(phases, bases)) * values
        }
        (self.phases, self.filter, envelopes.values) = (phases, filter, values)
    }
}
