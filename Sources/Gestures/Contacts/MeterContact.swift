import Grid
import Music

/// A finger on a level meter: a tap goes to the next sound or the one before, or, while the track is looked at through a lens,
/// to the next lens or the one before; a hold opens the lens that the track had last, or closes it.
struct MeterContact: HeldContact {
    private let client: ClientID
    private let track: Track
    private let isUpper: Bool
    /// Whether the track was looked at through a lens when the finger went down.
    private let hasLens: Bool
    var hold: Hold

    init(downAt place: Place, on track: Track, isUpper: Bool, of client: ClientID, in turn: Turn) {
        self.client = client
        self.track = track
        self.isUpper = isUpper
        hasLens = turn.context.lenses[track] != nil
        hold = Hold(at: place, since: turn.now, for: Threshold.lens)
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        let lenses = turn.context.lenses
        turn.look(at: track, through: lenses[track] == nil ? lenses.latest(of: track) : nil)
        turn.shake(client, .medium)
    }

    mutating func lift(in turn: inout Turn) {
        guard hold.wait != nil else { return }
        if hasLens {
            let motions = turn.document.pattern[track].motions
            let lens = turn.context.lenses.neighbour(of: track, isNext: isUpper, moving: motions)
            turn.look(at: track, through: lens)
        } else {
            turn.changeSound(of: track, isNext: isUpper)
        }
        turn.shake(client, .light)
    }
}
