import Grid
import Music

/// Finds the control or cell under a finger that goes down.
enum HitTest {
    /// Acts on what is under the finger, and returns the contact that handles its movements, nil when none does.
    ///
    /// - Parameter place: Where the finger goes down.
    static func contact(
        at place: Place, of client: ClientID, on surface: TouchSurface, in turn: inout Turn
    ) -> (any Contact)? {
        if place.row == Layout.controlRow {
            return ControlCell.at(column: place.column).flatMap { contact(on: $0, at: place, of: client, in: &turn) }
        }
        if let pad = Layout.pad(atColumn: place.column, row: place.row) {
            return PadContact(downAt: place, on: pad, of: client, on: surface, in: &turn)
        }
        if let track = Layout.track(atRow: place.row) {
            switch place.column {
            case Layout.muteColumn:
                turn.toggleMute(of: track)
                return nil
            case Layout.soloColumn:
                turn.toggleSolo(of: track)
                return nil
            case Layout.meterColumn:
                let isUpper = Layout.isUpperHalf(of: track, row: place.row)
                return ButtonContact.meter(of: track, isUpper: isUpper, downAt: place, of: client, in: turn)
            default: break
            }
            if let lens = turn.context.lenses[track] {
                return contact(at: place, of: client, on: surface, under: lens, of: track, in: &turn)
            }
            guard let step = Layout.step(atColumn: place.column),
                step < turn.length(of: turn.document.pattern.playing[track])
            else { return nil }
            return TrackContact(downAt: place, track: track, step: step, of: client, on: surface, in: &turn)
        }
        guard !Layout.padColumns.contains(place.column) else { return nil }
        return OutsideContact(downAt: place, of: client, on: surface, in: &turn)
    }

    /// The contact of a finger on a control: most controls act at once, the others depend on how long they are held.
    private static func contact(
        on control: ControlCell, at place: Place, of client: ClientID, in turn: inout Turn
    ) -> (any Contact)? {
        switch control {
        case .musicKey: return ButtonContact.musicKey(downAt: place, of: client, at: turn.now)
        case .playStop: return ButtonContact.play(downAt: place, in: &turn)
        case .undo: turn.press(.undo, by: client)
        case .redo: turn.press(.redo, by: client)
        case .scale(let scale): turn.setKey(.scale, to: .choice(scale))
        case .root(let root): turn.setKey(.root, to: .choice(root))
        case .ghosts: turn.toggleGhosts()
        case .tempo: return ButtonContact.tempo(downAt: place, in: &turn)
        case .tempoDown: return ButtonContact.nudge(downAt: place, in: &turn) { $0.moveTempo(by: -5) }
        case .tempoUp: return ButtonContact.nudge(downAt: place, in: &turn) { $0.moveTempo(by: 5) }
        case .lengthDown: return ButtonContact.nudge(downAt: place, in: &turn) { $0.moveLength(by: -4) }
        case .lengthUp: return ButtonContact.nudge(downAt: place, in: &turn) { $0.moveLength(by: 4) }
        case .length: turn.nextLength()
        case .scrub: return ButtonContact.catchKeys(downAt: place, at: turn.now)
        case .clear: return ButtonContact.clear(downAt: place, of: client, at: turn.now)
        }
        return nil
    }

    /// The contact of a finger on a track with an open lens; nil, showing the lens's name, where it has nothing to
    /// change.
    private static func contact(
        at place: Place, of client: ClientID, on surface: TouchSurface, under lens: Lens, of track: Track,
        in turn: inout Turn
    ) -> (any Contact)? {
        let slot = turn.document.pattern.playing[track]
        let step = Layout.step(atColumn: place.column)
        let shown = step.flatMap { $0 < turn.length(of: slot) ? $0 : nil }
        let row = NoteSet(Layout.notes(of: track, row: place.row))
        let isMeant =
            switch lens.kind {
            case .notes:
                shown.map { !turn.document.pattern.sounding(slot)[$0].heads.intersection(row).isEmpty } ?? false
            case .length: step != nil
            case .speed, .motion: shown != nil
            }
        if let step, isMeant {
            return LensFinger(downAt: place, lens, on: slot, step: step, of: client, on: surface, in: &turn)
        }
        if shown != nil || place.column == Layout.lensColumn { turn.show(lens.title, at: .finger(place)) }
        return nil
    }
}
