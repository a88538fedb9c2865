/// Where the tempo and the position in the song come from.
public enum SyncSource: String, Named, BitwiseCopyable {
    /// From ourselves.
    case own = "internal"
    /// From JACK's transport, whether it rolls or not.
    case jack
    /// From the clock at the MIDI input, whether it ticks or not.
    case midi
    /// From the timeline that a client holds, while there is one.
    case timeline
    /// From the best of the sources that are present, else from ourselves.
    case automatic = "auto"

    /// The name as the grid shows it.
    public var title: String { self == .timeline ? "TIME" : name.uppercased() }
}

extension SyncSource {
    // Audio threads compare these. Swift 6.2 would compare their texts, for which it counts references.

    @_noLocks @_noAllocation
    public static func == (one: SyncSource, other: SyncSource) -> Bool { one.place == other.place }

    @_noLocks @_noAllocation
    public static func != (one: SyncSource, other: SyncSource) -> Bool { one.place != other.place }

    private var place: Int {
        switch self {
        case .own: 0
        case .jack: 1
        case .midi: 2
        case .timeline: 3
        case .automatic: 4
        }
    }
}

/// Who hears our tempo and position.
public enum SyncLead: String, Named {
    /// Clients that follow JACK's transport: we ask to be its timebase master.
    case jack
    /// Devices at the MIDI clock output.
    case midi
}

extension Document {
    /// Where the tempo and the position in the song come from.
    public var syncSource: SyncSource { SyncSource.allCases[Int(number(.syncSource))] }

    /// Whether our tempo and position are published there.
    public func leads(_ lead: SyncLead) -> Bool { self[.syncLead].names?.contains(lead.name) == true }
}
