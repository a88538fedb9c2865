import Music

/// A finger on the tempo cell: a tap of the tempo that counts at once, and not at all when it turns out to be a hold, which
/// switches what is followed. It lets go by straying more than a cell from the cell.
struct TempoContact: Contact {
    private let start: Place
    private let earlierTempo: Tempo
    private var switchesAt: Duration?

    init(downAt place: Place, in turn: inout Turn) {
        start = place
        earlierTempo = turn.document.pattern.tempo
        switchesAt = turn.now + Threshold.sync
        turn.tapTempo()
    }

    var deadline: Duration? { switchesAt }

    mutating func expire(in turn: inout Turn) {
        switchesAt = nil
        if turn.context.tempoSource == nil {
            turn.memory.tapTempo.retract()
            if turn.document.pattern.tempo != earlierTempo { turn.set(.tempo, to: .number(earlierTempo.bpm)) }
        }
        turn.toggleSync()
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: start) { switchesAt = nil }
    }
}
