import Grid
import Music

/// What a finger does in row 0, in the mute and solo columns, and on the level meters.
enum TouchControl: Equatable, Sendable {
    case musicKey
    case playStop
    case journey(Journey)
    case scale(Scale)
    case root(PitchClass)
    case ghosts
    case nudge(Nudge)
    case tapTempo
    case nextLength
    case clear
    case mute(Track)
    case solo(Track)
    case meter(Track, isUpper: Bool)

    /// The control at a place, nil where there is none.
    init?(at place: Place) {
        let control =
            place.row == Layout.controlRow
            ? ControlCell.at(column: place.column).flatMap(TouchControl.init)
            : Layout.track(atRow: place.row).flatMap { TouchControl.beside($0, at: place) }
        guard let control else { return nil }
        self = control
    }

    /// What a control of row 0 does, nil for one that is only looked at.
    private init?(_ cell: ControlCell) {
        switch cell {
        case .musicKey: self = .musicKey
        case .playStop: self = .playStop
        case .undo: self = .journey(.undo)
        case .redo: self = .journey(.redo)
        case .scale(let scale): self = .scale(scale)
        case .root(let root): self = .root(root)
        case .ghosts: self = .ghosts
        case .tempoDown: self = .nudge(.tempoDown)
        case .tempo: self = .tapTempo
        case .tempoUp: self = .nudge(.tempoUp)
        case .lengthDown: self = .nudge(.lengthDown)
        case .length: self = .nextLength
        case .lengthUp: self = .nudge(.lengthUp)
        case .clear: self = .clear
        case .scrub: return nil
        }
    }

    private static func beside(_ track: Track, at place: Place) -> TouchControl? {
        switch place.column {
        case Layout.muteColumn: .mute(track)
        case Layout.soloColumn: .solo(track)
        case Layout.meterColumn: .meter(track, isUpper: Layout.isUpperHalf(of: track, row: place.row))
        default: nil
        }
    }
}
