import Grid

/// What a finger that goes down meets.
enum HitTest {
    /// Acts on what is under the finger, and gives what waits for the finger's further way, nil when nothing does.
    ///
    /// - Parameter place: Where the finger goes down.
    static func contact(
        at place: Place, of client: ClientID, on surface: TouchSurface, in turn: inout Turn
    ) -> (any Contact)? {
        if let control = TouchControl(at: place) {
            turn.press(control, by: client)
            switch control {
            case .musicKey: return MusicKeyContact(downAt: place, of: client, at: turn.now)
            case .playStop: return PlayContact(downAt: place, in: &turn)
            case .tapTempo: return TempoContact(downAt: place, in: &turn)
            case .clear: return ClearContact(downAt: place, of: client, at: turn.now)
            case .nudge(let nudge): return NudgeContact(nudge, downAt: place, at: turn.now)
            default: return nil
            }
        }
        if let pad = Layout.pad(atColumn: place.column, row: place.row) {
            return PadContact(downAt: place, on: pad, of: client, in: &turn)
        }
        if let track = Layout.track(atRow: place.row) {
            guard let step = Layout.step(atColumn: place.column), step < turn.length else { return nil }
            return TrackContact(downAt: place, track: track, step: step, of: client, on: surface, in: &turn)
        }
        guard place.row != Layout.controlRow, !Layout.padColumns.contains(place.column) else { return nil }
        return OutsideContact(downAt: place, of: client, on: surface, in: &turn)
    }
}
