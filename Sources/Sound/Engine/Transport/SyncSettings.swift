import Music

/// Which source the transport follows, and where its own time is sent.
public struct SyncSettings: Sendable, BitwiseCopyable {
    /// The source to follow.
    public var source: SyncSource
    /// Whether we ask to be JACK's timebase master.
    public var leadsJack: Bool
    /// Whether our clock is sent at the MIDI clock output.
    public var leadsMidi: Bool
    /// A timeline is joined on a multiple of this many beats, unless it has its own quantum.
    public var quantum: Double
    /// Whether a timeline starts and stops us.
    public var followsStarts: Bool
    /// How many seconds we play after the source.
    public var offsetIn: Double
    /// How many seconds our clock is sent after the music.
    public var offsetOut: Double
    /// Whether notes and clock are delayed by the latency of our sound.
    public var compensatesLatency: Bool

    /// By default, neither follows nor leads.
    @_noLocks @_noAllocation
    public init(
        source: SyncSource = .own, leadsJack: Bool = false, leadsMidi: Bool = false, quantum: Double = 4,
        followsStarts: Bool = true, offsetIn: Double = 0, offsetOut: Double = 0,
        compensatesLatency: Bool = false
    ) {
        self.source = source
        self.leadsJack = leadsJack
        self.leadsMidi = leadsMidi
        self.quantum = quantum
        self.followsStarts = followsStarts
        self.offsetIn = offsetIn
        self.offsetOut = offsetOut
        self.compensatesLatency = compensatesLatency
    }

    /// The settings among the parameters.
    init(_ parameters: LiveParameters) {
        self.init(
            parameters[.syncSource], parameters[.syncLead], quantum: parameters[.syncQuantum],
            starts: parameters[.syncStartStop], in: parameters[.syncOffsetIn], out: parameters[.syncOffsetOut],
            latency: parameters[.syncLatency])
    }

    fileprivate init(
        _ source: Double, _ lead: Double, quantum: Double, starts: Double, in offsetIn: Double,
        out offsetOut: Double, latency: Double
    ) {
        let lead = UInt8(lead)
        self.init(
            source: SyncSource(number: source), leadsJack: lead & 1 != 0, leadsMidi: lead & 2 != 0, quantum: quantum,
            followsStarts: starts != 0, offsetIn: offsetIn / 1000, offsetOut: offsetOut / 1000,
            compensatesLatency: latency != 0)
    }
}

extension SyncSource {
    /// The source from its index among all cases, as parameters store it: there is no array of them in real-time code.
    fileprivate init(number: Double) {
        switch UInt8(number) {
        case 1: self = .jack
        case 2: self = .midi
        case 3: self = .timeline
        case 4: self = .automatic
        default: self = .own
        }
    }
}

extension Score {
    /// The sync settings among the parameters.
    public var sync: SyncSettings {
        get { parameters.sync }
        set { parameters.sync = newValue }
    }
}

extension ParameterBlock {
    /// The sync settings among the parameters.
    public var sync: SyncSettings {
        get {
            SyncSettings(
                self[.syncSource], self[.syncLead], quantum: self[.syncQuantum], starts: self[.syncStartStop],
                in: self[.syncOffsetIn], out: self[.syncOffsetOut], latency: self[.syncLatency])
        }
        set {
            self[.syncSource] = Double(SyncSource.allCases.firstIndex(of: newValue.source) ?? 0)
            self[.syncLead] = (newValue.leadsJack ? 1 : 0) + (newValue.leadsMidi ? 2 : 0)
            self[.syncQuantum] = newValue.quantum
            self[.syncStartStop] = newValue.followsStarts ? 1 : 0
            self[.syncOffsetIn] = newValue.offsetIn * 1000
            self[.syncOffsetOut] = newValue.offsetOut * 1000
            self[.syncLatency] = newValue.compensatesLatency ? 1 : 0
        }
    }
}

/// The settings of the transport in a score.
struct TransportSettings: BitwiseCopyable {
    /// Our own tempo.
    var bpm: Double
    /// See ``Score/tempoRevision``.
    var tempoRevision = 0
    var swing: Double
    var length: Int
    var sync: SyncSettings
    var sampleRate: Double

    /// The clock's timing at a tempo, with the pattern's loop beginning on a step of the song.
    func timing(bpm: Double, loopFrom origin: Int64 = 0) -> StepTiming {
        StepTiming(bpm: bpm, swing: swing, loop: Loop(length: length, origin: origin), sampleRate: sampleRate)
    }

    func stepFrames(bpm: Double) -> Double { sampleRate * 60 / bpm / 4 }
}
