/// A drum of the rhythm track; the raw value is its note, 0 to 11.
public enum Drum: Int, CaseIterable, Sendable {
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

    /// The key of the General MIDI percussion map.
    public var generalMIDIKey: Int {
        switch self {
        case .kick: 36
        case .kick2: 35
        case .lowTom: 45
        case .snare: 38
        case .snare2: 40
        case .rimshot: 37
        case .clap: 39
        case .closedHat: 42
        case .openHat: 46
        case .crash: 49
        case .ride: 51
        case .cowbell: 56
        }
    }

    /// The name in two letters, as on drum machines.
    public var abbreviation: String {
        switch self {
        case .kick: "BD"
        case .kick2: "B2"
        case .lowTom: "LT"
        case .snare: "SD"
        case .snare2: "S2"
        case .rimshot: "RS"
        case .clap: "CP"
        case .closedHat: "CH"
        case .openHat: "OH"
        case .crash: "CR"
        case .ride: "RD"
        case .cowbell: "CB"
        }
    }

    /// The name in words, upper case, at most 11 characters.
    public var title: String {
        switch self {
        case .kick: "KICK"
        case .kick2: "KICK2"
        case .lowTom: "LOW TOM"
        case .snare: "SNARE"
        case .snare2: "SNARE2"
        case .rimshot: "RIMSHOT"
        case .clap: "CLAP"
        case .closedHat: "CLOSED HAT"
        case .openHat: "OPEN HAT"
        case .crash: "CRASH"
        case .ride: "RIDE"
        case .cowbell: "COWBELL"
        }
    }
}
