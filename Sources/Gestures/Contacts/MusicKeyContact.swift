import Grid
import Music

/// A finger on the music key: released soon it plays or stops, held it switches the colour mode. It lets go by straying
/// more than a cell from the key.
struct MusicKeyContact: Contact {
    private let client: ClientID
    private let start: Place
    private var switchesAt: Duration?

    init(downAt place: Place, of client: ClientID, at now: Duration) {
        self.client = client
        start = place
        switchesAt = now + Threshold.musicKey
    }

    var deadline: Duration? { switchesAt }

    mutating func expire(in turn: inout Turn) {
        switchesAt = nil
        let mode = turn.document.colorMode == .chromatic ? ColorMode.harmonic : .chromatic
        turn.set(.colors, to: .choice(mode))
        turn.show(mode.name.uppercased(), at: .control)
        turn.shake(client, .medium)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: start) { switchesAt = nil }
    }

    mutating func lift(in turn: inout Turn) {
        if switchesAt != nil { turn.togglePlay(showingAt: .control) }
    }
}
