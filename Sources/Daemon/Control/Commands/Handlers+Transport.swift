import Instrument
import Music
import Session
import Wire

// The clock.
extension Handlers {
    static let transport: [Handler] = [
        transportHandler(Methods.play, .play),
        transportHandler(Methods.stop, .stop),
        transportHandler(Methods.pause, .pause),
        transportHandler(Methods.toggle, .toggle),
        Handler(Methods.locate) { call, step in
            try call.perform(.transport(.locate(step)))
            return call.transport
        },
        Handler(Methods.record) { call, isOn in
            try call.perform(.transport(.record(isOn)))
            return call.transport
        },
        Handler(Methods.catchKeys) { call, _ in
            let now = call.now
            return call.ask { $0.catchKeys(at: now) }
        },
        Handler(Methods.tapTempo) { call, _ in
            try call.perform(.tapTempo)
            return call.ask { $0.document.pattern.bpm }
        },
    ]

    private static func transportHandler(_ method: Method<Void, TransportStatus>, _ request: TransportRequest)
        -> Handler
    {
        Handler(method) { call, _ in
            try call.perform(.transport(request))
            return call.transport
        }
    }
}
