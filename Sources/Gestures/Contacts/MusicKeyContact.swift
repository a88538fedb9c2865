import Grid
import Music

/// A finger on the music key: released soon it plays or stops, held it switches the colour mode.
struct MusicKeyContact: HeldContact {
    private let client: ClientID
    var hold: Hold

    init(downAt place: Place, of client: ClientID, at now: Moment) {
        self.client = client
        hold = Hold(at: place, since: now, for: Threshold.musicKey)
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        let mode = turn.document.colorMode.next
        turn.set(.colors, to: .choice(mode))
        turn.show(mode.name.uppercased(), at: .control)
        turn.shake(client, .medium)
    }

    mutating func lift(in turn: inout Turn) {
        if hold.wait != nil { turn.togglePlay(showingAt: .control) }
    }
}

extension ColorMode {
    /// The mode after this one, round and round.
    fileprivate var next: ColorMode {
        let modes = ColorMode.allCases
        return modes[(rawValue + 1) % modes.count]
    }
}
