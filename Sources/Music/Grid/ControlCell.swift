import Music

/// The controls of row 0.
public enum ControlCell: Hashable, CaseIterable, Sendable {
    /// The pixel in the root's colour: play/stop when tapped, chromatic/harmonic when held.
    case musicKey
    case playStop
    case undo
    case redo
    case scale(Scale)
    case root(PitchClass)
    case ghosts
    case tempoDown
    /// Shows the tempo; tapped in rhythm, sets it.
    case tempo
    case tempoUp
    case lengthDown
    /// Shows the length; tapped, steps through the usual ones.
    case length
    case lengthUp
    /// Shows the progress of a scrub; held, writes the keys that were played, but not recorded.
    case scrub
    case clear

    /// All controls from left to right.
    public static let allCases: [ControlCell] =
        [.musicKey, .playStop, .undo, .redo, .scale(.major), .scale(.minor), .scale(.penta)]
        + PitchClass.allCases.map { .root($0) }
        + [.ghosts, .tempoDown, .tempo, .tempoUp, .lengthDown, .length, .lengthUp, .scrub, .clear]

    /// The control's columns in row 0.
    public var columns: ClosedRange<Int> {
        switch self {
        case .musicKey: 0...0
        case .playStop: 1...2
        case .undo: 4...4
        case .redo: 5...5
        case .scale(.major): 7...7
        case .scale(.minor): 8...8
        case .scale(.penta): 9...9
        case .root(let root): (11 + root.number)...(11 + root.number)
        case .ghosts: 24...24
        case .tempoDown: 26...26
        case .tempo: 27...27
        case .tempoUp: 28...28
        case .lengthDown: 30...30
        case .length: 31...31
        case .lengthUp: 32...32
        case .scrub: 34...37
        case .clear: Layout.padColumns
        }
    }

    /// The control in a column of row 0, nil where there is none.
    public static func at(column: Int) -> ControlCell? {
        allCases.first { $0.columns.contains(column) }
    }
}
