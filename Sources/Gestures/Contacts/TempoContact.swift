import Music

/// A finger on the tempo cell: a tap of the tempo that counts at once, and not at all when it turns out to be a hold, which
/// switches what is followed.
struct TempoContact: HeldContact {
    private let earlierTempo: Tempo
    var hold: Hold

    init(downAt place: Place, in turn: inout Turn) {
        earlierTempo = turn.document.pattern.tempo
        hold = Hold(at: place, since: turn.now, for: Threshold.sync)
        turn.tapTempo()
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        if turn.context.tempoSource == nil {
            turn.memory.tapTempo.retract()
            if turn.document.pattern.tempo != earlierTempo { turn.set(.tempo, to: .number(earlierTempo.bpm)) }
        }
        turn.toggleSync()
    }
}
