import Session
import Wire

// Time that is shared with others.
extension Handlers {
    static let sync: [Handler] = [
        Handler(Methods.playingMoment) { call, _ in
            call.ask { session in
                guard let moment = session.playingMoment() else {
                    return TimelineState(beat: 0, usecs: 0, bpm: session.sync.bpm, playing: false)
                }
                return TimelineState(
                    beat: moment.beat, usecs: Int(clamping: moment.usecs), bpm: moment.bpm, playing: moment.isPlaying)
            }
        }
    ]
}
