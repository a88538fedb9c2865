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
        /// The best of the sources that are present; else our own.
        case automatic
    }

    /// What is followed.
    public var source: Source
    /// Whether we ask to be JACK's timebase master.
    public var leadsJack: Bool
    /// Whether our clock is sent at the MIDI clock output.
    public var leadsMidi: Bool

    /// Settings; the default follows and leads nobody.
    @_noLocks @_noAllocation
    public init(source: Source = .own, leadsJack: Bool = false, leadsMidi: Bool = false) {
        self.source = source
        self.leadsJack = leadsJack
        self.leadsMidi = leadsMidi
    }

    /// Settings as the numbers of their parameters.
    @_noLocks @_noAllocation
    init(source: Double, lead: Double) {
        let bits = UInt8(lead)
        self.init(source: Source(number: source), leadsJack: bits & 1 != 0, leadsMidi: bits & 2 != 0)
    }
}

extension SyncSettings.Source {
    @_noLocks @_noAllocation
    fileprivate init(number: Double) {
        switch UInt8(number) {
        case 1: self = .jack
        case 2: self = .midi
        case 3: self = .automatic
        default: self = .own
        }
    }
}

extension Score {
    /// Where the time comes from, and who hears ours: parameters of the table.
    public var sync: SyncSettings {
        get { SyncSettings(source: parameters[.syncSource], lead: parameters[.syncLead]) }
        set {
            parameters[.syncSource] = Double(newValue.source.rawValue)
            parameters[.syncLead] = (newValue.leadsJack ? 1 : 0) + (newValue.leadsMidi ? 2 : 0)
        }
    }
}

/// What the transport follows at present.
public enum FollowedSource: UInt8, Sendable, BitwiseCopyable {
    /// Nothing.
    case own
    case jack
    case midi

    // Comparing enum values would reach for their metadata.

    @_noLocks @_noAllocation
    func isSame(as other: FollowedSource) -> Bool {
        switch (self, other) {
        case (.own, .own), (.jack, .jack), (.midi, .midi): true
        default: false
        }
    }
}
