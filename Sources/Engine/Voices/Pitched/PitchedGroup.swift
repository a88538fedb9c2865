/// Four pitched voices of any kinds: notes that fade may have begun with another preset than those that follow them.
struct PitchedGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    /// What each lane added to the newest frame.
    private(set) var newest = Lanes.zero
    private var tables = TablesLanes()
    private var modulated = ModulatedLanes()
    private let reader: TableReader

    init(_ reader: TableReader) {
        self.reader = reader
    }

    /// Starts a voice in a lane.
    ///
    /// - Parameters:
    ///   - sweep: Of a preset that has a filter.
    ///   - increment: How much of 2^32 the note's phase advances per frame.
    mutating func start(
        _ shape: EnvelopeShape, _ voice: PreparedPreset.Voice, _ sweep: PreparedSweep, increment: Double,
        isNormal: Bool, _ setting: VoiceSetting, lane: Int, at frame: Int64
    ) {
        tables.owners.remove(lane)
        modulated.owners.remove(lane)
        switch voice {
        case .tables(let voice, _):
            tables.start(voice, sweep, increment: increment, lane: lane)
        case .modulated(let modulator):
            modulated.start(modulator, increment: increment, isNormal: isNormal, setting, lane: lane)
        }
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the voices to the output, `count` frames from `frame` on.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

    private mutating func renderStretch(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        newest = .zero
        // Each kind takes all lanes' envelopes along, and adds only its own.
        let (start, live) = (envelopes.lanes, envelopes.live)
        if live & tables.owners.bits != 0 {
            var lanes = start
            unsafe newest += tables.render(&lanes, reader, adding: output, count: count)
            envelopes.lanes = lanes
        }
        if live & modulated.owners.bits != 0 {
            var lanes = start
            unsafe newest += modulated.render(&lanes, adding: output, count: count)
            envelopes.lanes = lanes
        }
    }
}
