import Music

/// Where the transport's time comes from, and who hears ours.
public struct SyncSettings: Sendable, BitwiseCopyable {
    /// What is followed; in the order of `Music.SyncSource`, as whose places it is stored.
    public enum Source: UInt8, Sendable, BitwiseCopyable {
        /// Nothing: the tempo is the score's, and starts and stops are commands.
        case own
        /// JACK's transport, whether it rolls or not.
        case jack
        /// The clock at the MIDI input.
        case midi
        /// The timeline that somebody outside holds, while there is one.
        case timeline
        /// The best of the sources that are present; else our own.
        case automatic
    }

    /// What is followed.
    public var source: Source
    /// Whether we ask to be JACK's timebase master.
    public var leadsJack: Bool
    /// Whether our clock is sent at the MIDI clock output.
    public var leadsMidi: Bool
    /// A timeline is joined on a multiple of so many beats, unless it says otherwise.
    public var quantum: Double
    /// Whether a timeline starts and stops us.
    public var followsStarts: Bool
    /// How much later than what is followed we play, in seconds.
    public var offsetIn: Double
    /// How much later than it is played our clock is sent, in seconds.
    public var offsetOut: Double
    /// Whether notes and clock are sent later by what our sound takes to be heard.
    public var compensatesLatency: Bool

    /// Settings; the default follows and leads nobody.
    @_noLocks @_noAllocation
    public init(
        source: Source = .own, leadsJack: Bool = false, leadsMidi: Bool = false, quantum: Double = 4,
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

    /// Settings as parameters.
    init(_ parameters: borrowing LiveParameters) {
        self.init(source: parameters[.syncSource], lead: parameters[.syncLead])
        quantum = parameters[.syncQuantum]
        followsStarts = parameters[.syncStartStop] != 0
        offsetIn = parameters[.syncOffsetIn] / 1000
        offsetOut = parameters[.syncOffsetOut] / 1000
        compensatesLatency = parameters[.syncLatency] != 0
    }

    fileprivate init(source: Double, lead: Double) {
        let bits = UInt8(lead)
        self.init(source: Source(number: source), leadsJack: bits & 1 != 0, leadsMidi: bits & 2 != 0)
    }
}

extension SyncSettings.Source {
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
    /// Where the time comes from, and who hears ours: parameters of the table.
    public var sync: SyncSettings {
        get {
            var settings = SyncSettings(source: parameters[.syncSource], lead: parameters[.syncLead])
            settings.quantum = parameters[.syncQuantum]
            settings.followsStarts = parameters[.syncStartStop] != 0
            settings.offsetIn = parameters[.syncOffsetIn] / 1000
            settings.offsetOut = parameters[.syncOffsetOut] / 1000
            settings.compensatesLatency = parameters[.syncLatency] != 0
            return settings
        }
        set {
            parameters[.syncSource] = Double(newValue.source.rawValue)
            parameters[.syncLead] = (newValue.leadsJack ? 1 : 0) + (newValue.leadsMidi ? 2 : 0)
            parameters[.syncQuantum] = newValue.quantum
            parameters[.syncStartStop] = newValue.followsStarts ? 1 : 0
            parameters[.syncOffsetIn] = newValue.offsetIn * 1000
            parameters[.syncOffsetOut] = newValue.offsetOut * 1000
            parameters[.syncLatency] = newValue.compensatesLatency ? 1 : 0
        }
    }
}

/// What the transport follows at present.
public enum FollowedSource: UInt8, Sendable, BitwiseCopyable {
    /// Nothing.
    case own
    case jack
    case midi
    case timeline
}

/// What a score says to the transport.
struct TransportSettings: BitwiseCopyable {
    /// Our own tempo.
    var bpm: Double
    /// See ``Score/tempoRevision``.
    var tempoRevision = 0
    var swing: Double
    var length: Int
    var sync: SyncSettings
    var sampleRate: Double

    /// What the clock is to go by at a tempo; the whole's loop begins with a step of the song.
    func timing(bpm: Double, loopFrom origin: Int64 = 0) -> StepTiming {
        StepTiming(bpm: bpm, swing: swing, loop: Loop(length: length, origin: origin), sampleRate: sampleRate)
    }

    func stepFrames(bpm: Double) -> Double { sampleRate * 60 / bpm / 4 }
}
