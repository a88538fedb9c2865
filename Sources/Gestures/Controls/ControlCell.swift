import Grid
import Music

/// What a cell of row 0, or of the mute and solo columns, does.
enum ControlCell: Equatable, Sendable {
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

    /// The control at a place, nil where there is none.
    init?(at place: Place) {
        let control =
            place.row == Layout.controlRow
            ? ControlCell.inControlRow(column: place.column)
            : Layout.track(atRow: place.row).flatMap { ControlCell.beside($0, column: place.column) }
        guard let control else { return nil }
        self = control
    }

    private static func inControlRow(column: Int) -> ControlCell? {
        switch column {
        case 0: .musicKey
        case 1...2: .playStop
        case 4: .journey(.undo)
        case 5: .journey(.redo)
        case 7: .scale(.major)
        case 8: .scale(.minor)
        case 9: .scale(.penta)
        case 11...22: .root(PitchClass(column - 11))
        case 24: .ghosts
        case 26: .nudge(.tempoDown)
        case 27: .tapTempo
        case 28: .nudge(.tempoUp)
        case 30: .nudge(.lengthDown)
        case 31: .nextLength
        case 32: .nudge(.lengthUp)
        case 40...43: .clear
        default: nil
        }
    }

    private static func beside(_ track: Track, column: Int) -> ControlCell? {
        switch column {
        case Layout.muteColumn: .mute(track)
        case Layout.soloColumn: .solo(track)
        default: nil
        }
    }
}
