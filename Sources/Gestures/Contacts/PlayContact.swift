/// A finger on play/stop: what stands plays at once, what plays stops when the finger is lifted soon. A hold arms recording or
/// disarms it, and what plays plays on. It lets go by straying more than a cell from the cell.
struct PlayContact: Contact {
    private let start: Place
    private let wasPlaying: Bool
    private let holdsAt: Duration
    private var isWaiting = true

    init(downAt place: Place, in turn: inout Turn) {
        start = place
        wasPlaying = turn.context.isPlaying
        holdsAt = turn.now + Threshold.record
        if !wasPlaying { turn.togglePlay(showingAt: .control) }
    }

    var deadline: Duration? { isWaiting ? holdsAt : nil }

    mutating func expire(in turn: inout Turn) {
        isWaiting = false
        turn.toggleRecording()
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: start) { isWaiting = false }
    }

    mutating func lift(in turn: inout Turn) {
        if wasPlaying, turn.context.isPlaying, turn.now < holdsAt { turn.togglePlay(showingAt: .control) }
    }
}
