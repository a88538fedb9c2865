/// What a cell of the pattern holds; two bits.
public enum Velocity: UInt8, Named {
    case off
    case normal
    case accent
    /// Prolongs the same note of the step before.
    case sustain

    /// Whether a note starts here.
    public var isHead: Bool { self == .normal || self == .accent }

    /// The name in files and on the control socket.
    public var name: String {
        switch self {
        case .off: "off"
        case .normal: "normal"
        case .accent: "accent"
        case .sustain: "sustain"
        }
    }

    /// Rank when several notes share a cell of the grid: accent over normal over sustain over off.
    public var prominence: Int {
        switch self {
        case .off: 0
        case .sustain: 1
        case .normal: 2
        case .accent: 3
        }
    }
}
