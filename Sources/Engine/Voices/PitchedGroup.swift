/// Four pitched voices: oscillator, low-pass, envelope.
struct PitchedGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    /// Which lanes play a table, and where these begin; the others play sines.
    private var tables = SIMDMask<SIMD4<Int32>>(repeating: false)
    private var tableBits: UInt8 = 0
    private var bases = LaneBits.zero
    private var filter = LowPassLanes()
    /// What each lane added to the newest frame.
    private(set) var newest = Lanes.zero
    private let reader: TableReader

    init(_ reader: TableReader) {
        self.reader = reader
    }

    /// Starts a voice in a lane, at the beginning of its waveform.
    @_noLocks @_noAllocation
    mutating func start(
        _ shape: EnvelopeShape, _ voice: PreparedVoice, increment: UInt32, lane: Int, at frame: Int64
    ) {
        phases[lane] = 0
        increments[lane] = increment
        let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
        tables[lane] = voice.isTable
        tableBits = voice.isTable ? tableBits | bit : tableBits & ~bit
        bases[lane] = voice.base
        filter.setCoefficients(voice.filter, lane: lane)
        filter.reset(lane: lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the voices to the output, `count` frames from `frame` on.
    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            let output = unsafe output + stretch.lowerBound
            let playing = envelopes.live & tableBits
            if playing == 0 {
                unsafe renderSines(adding: output, count: stretch.count)
            } else if playing == envelopes.live {
                unsafe renderTables(adding: output, count: stretch.count)
            } else {
                unsafe renderMixed(adding: output, count: stretch.count)
            }
        }
    }

    // The loops work on copies of the state, which the compiler keeps in registers.

    @_noLocks @_noAllocation
    private mutating func renderSines(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (phases, filter, values) = (self.phases, self.filter, envelopes.values)
        let (increments, factors, slopes) = (self.increments, envelopes.factors, envelopes.slopes)
        var newest = Lanes.zero
        for index in 0..<count {
            phases &+= increments
            values = values * factors + slopes
            newest = filter.filter(sine(halfTurns: Lanes(bipolar: phases))) * values
            unsafe output[index] += newest
        }
        (self.phases, self.filter, envelopes.values, self.newest) = (phases, filter, values, newest)
    }

    @_noLocks @_noAllocation
    private mutating func renderTables(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (phases, filter, values) = (self.phases, self.filter, envelopes.values)
        let (increments, factors, slopes) = (self.increments, envelopes.factors, envelopes.slopes)
        let (reader, bases) = (self.reader, self.bases)
        var newest = Lanes.zero
        for index in 0..<count {
            phases &+= increments
            values = values * factors + slopes
            newest = filter.filter(reader.read(phases, bases)) * values
            unsafe output[index] += newest
        }
        (self.phases, self.filter, envelopes.values, self.newest) = (phases, filter, values, newest)
    }

    /// While notes fade that began with another oscillator than those that follow them.
    @_noLocks @_noAllocation
    private mutating func renderMixed(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        var (phases, filter, values) = (self.phases, self.filter, envelopes.values)
        let (increments, factors, slopes) = (self.increments, envelopes.factors, envelopes.slopes)
        let (reader, bases, tables) = (self.reader, self.bases, self.tables)
        var newest = Lanes.zero
        for index in 0..<count {
            phases &+= increments
            values = values * factors + slopes
            let sines = sine(halfTurns: Lanes(bipolar: phases))
            newest = filter.filter(sines.replacing(with: reader.read(phases, bases), where: tables)) * values
            unsafe output[index] += newest
        }
        (self.phases, self.filter, envelopes.values, self.newest) = (phases, filter, values, newest)
    }
}
