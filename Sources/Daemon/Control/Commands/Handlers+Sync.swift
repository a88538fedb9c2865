import Grid
import Instrument
import Music
import Session
import Wire

// Clocks and timelines shared with other programs.
extension Handlers {
    static let sync: [Handler] = [
        Handler(Methods.playingMoment) { call, _ in
            call.ask { $0.playingMoment }
        },
        Handler(Methods.timeline) { call, timeline in
            let (id, name, now) = (call.client.id, call.client.title, call.now)
            try call.ask { try $0.hold(timeline, by: id, named: name, at: now) }
        },
        Handler(Methods.releaseTimeline) { call, _ in
            let (id, now) = (call.client.id, call.now)
            try call.ask { try $0.releaseTimeline(of: id, at: now) }
        },
        Handler(Methods.clockTimes) { call, _ in
            try call.ask { session in
                if session.audio.status != .running { throw CommandError.noAudio(session.audio.reason) }
            }
            return call.loop.services.clockTimes()
        },
    ]
}

extension Client {
    /// The name under which other clients see it.
    fileprivate var title: String { name.isEmpty ? "client \(id.number)" : name }
}
