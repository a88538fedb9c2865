/// A drum of the rhythm track; the raw value is its note, 0 to 11.
public enum Drum: Int, Named {
    case kick
    case kick2
    case lowTom
    case snare
    case snare2
    case rimshot
    case clap
    case closedHat
    case openHat
    case crash
    case ride
    case cowbell

    private var row: (key: Int, abbreviation: String, title: String) {
        switch self {
        case .kick: (36, "BD", "KICK")
        case .kick2: (35, "B2", "KICK2")
        case .lowTom: (45, "LT", "LOW TOM")
        case .snare: (38, "SD", "SNARE")
        case .snare2: (40, "S2", "SNARE2")
        case .rimshot: (37, "RS", "RIMSHOT")
        case .clap: (39, "CP", "CLAP")
        case .closedHat: (42, "CH", "CLOSED HAT")
        case .openHat: (46, "OH", "OPEN HAT")
        case .crash: (49, "CR", "CRASH")
        case .ride: (51, "RD", "RIDE")
        case .cowbell: (56, "CB", "COWBELL")
        }
    }

    /// The key of the General MIDI percussion map.
    public var generalMIDIKey: Int { row.key }
    /// The name in two letters, as on drum machines.
    public var abbreviation: String { row.abbreviation }
    /// The name in files and on the control socket: `low tom`.
    public var name: String { title.lowercased() }
    /// The name in words, upper case, at most 11 characters.
    public var title: String { row.title }
}
