/// The scales that an instrument can be in.
public enum Scale: Int, Named {
    case major
    case minor
    case penta

    /// Semitones above the root, from low to high.
    public var intervals: [Int] {
        switch self {
        case .major: [0, 2, 4, 5, 7, 9, 11]
        case .minor: [0, 2, 3, 5, 7, 8, 10]
        case .penta: [0, 2, 4, 7, 9]
        }
    }

    /// The seven-note scale that chords are stacked in: penta borrows from major.
    var chordIntervals: [Int] {
        self == .penta ? Scale.major.intervals : intervals
    }

    /// The name in files and on the control socket.
    public var name: String {
        switch self {
        case .major: "major"
        case .minor: "minor"
        case .penta: "penta"
        }
    }
}
