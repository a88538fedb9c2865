/// Where the tempo and the position in the song come from.
public enum SyncSource: String, Named {
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

    /// The name in files and on the control socket.
    public var name: String { rawValue }

    /// The name as the grid shows it.
    public var title: String { self == .timeline ? "TIME" : name.uppercased() }
}

/// Who hears our tempo and position.
public enum SyncLead: String, Named {
    /// Whoever follows JACK's transport: we ask to be its timebase master.
    case jack
    /// Whoever listens to the MIDI clock output.
    case midi

    /// The name in files and on the control socket.
    public var name: String { rawValue }
}

/// What players ask of the client whose timeline is followed; it may do so or not.
public enum TimelineRequest: Equatable, Sendable {
    /// Another tempo in beats per minute.
    case tempo(Double)
    case play
    case stop
}

extension Document {
    /// Where the tempo and the position in the song come from.
    public var syncSource: SyncSource { SyncSource.allCases[Int(number(.syncSource))] }

    /// Whether others are to hear our tempo and position.
    public func leads(_ lead: SyncLead) -> Bool { self[.syncLead].names?.contains(lead.name) == true }
}
