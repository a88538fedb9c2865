/// A finger on play/stop: what stands plays at once, what plays stops when the finger is lifted soon. A hold arms recording or
/// disarms it, and what plays plays on.
struct PlayContact: HeldContact {
    private let wasPlaying: Bool
    private let downAt: Moment
    var hold: Hold

    init(downAt place: Place, in turn: inout Turn) {
        wasPlaying = turn.context.isPlaying
        downAt = turn.now
        hold = Hold(at: place, since: turn.now, for: Threshold.record)
        if !wasPlaying { turn.togglePlay(showingAt: .control) }
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        turn.toggleRecording()
    }

    mutating func lift(in turn: inout Turn) {
        if wasPlaying, turn.context.isPlaying, turn.now.elapsed(since: downAt) < Threshold.record {
            turn.togglePlay(showingAt: .control)
        }
    }
}
