import Engine
import Gestures
import Grid
import JSON
import Session
import Wire

// Greetings, touches, subscriptions and status.
extension Handlers {
    static let general: [Handler] = [
        Handler(Methods.hello) { call, hello in
            if let name = hello.client { call.client.name = name }
            if hello.isRemote == true { call.client.isRemote = true }
            if let tooltips = hello.tooltips { call.loop.setTooltips(tooltips, of: call.client) }
            let id = call.client.id
            if hello.surface != nil || hello.isRemote == true {
                var declared = hello.surface ?? call.ask { $0.surface(of: id) }
                declared.isRemote = call.client.isRemote
                call.ask { $0.declare(declared, of: id) }
            }
            var welcome = call.loop.welcome
            welcome.isRemote = call.client.isRemote
            welcome.showsTooltips = call.client.showsTooltips
            // Unknown members are ignored; the answer shows what was understood, which reveals misspelt ones.
            welcome.client = call.client.name
            welcome.touch = call.ask { $0.surface(of: id) }
            return welcome
        },
        Handler(Methods.ping) { _, _ in },
        Handler(Methods.touch) { call, reported in
            var touch = try Touch(id: reported.id, phase: reported.phase, x: reported.x, y: reported.y)
            touch.time = reported.milliseconds.map { .milliseconds($0) }
            let (client, now) = (call.client.id, call.now)
            return try call.ask { try $0.touch(touch, by: client, at: now) }
        },
        Handler(encoded: Methods.subscribe) { call, parameters in
            let (topics, rate) = parameters
            return try call.loop.subscribe(call.client, to: topics, rate: rate, answeredIn: call.line)
        },
        Handler(Methods.unsubscribe) { call, topics in
            for topic in topics { call.client.subscriptions.remove(topic) }
            if topics.contains(.midi) { call.loop.controllers.forget(call.client.id) }
            call.loop.watchersChanged()
        },
        Handler(encoded: Methods.frame) { call, _ in call.loop.keyFrame(for: call.client, at: call.now) },
        Handler(Methods.state) { call, _ in .object(call.loop.instrumentState().json) },
        Handler(Methods.statistics) { call, _ in call.loop.statistics() },
        Handler(Methods.ports) { call, _ in
            call.ask { $0.connections(of: EnginePort.all) }.map(InstrumentPort.init)
        },
    ]
}

extension Touch {
    /// Fingers farther from the grid are taken to be at this distance, which keeps arithmetic on places well within the
    /// range of integers.
    private static let farthest = 1e6

    /// A touch as a client sends it.
    fileprivate init(id: Int, phase: TouchPhase, x: Double?, y: Double?) throws(FieldError) {
        if phase != .cancel {
            guard x != nil else { throw FieldError(field: "x", expected: "a number", got: "nothing") }
            guard y != nil else { throw FieldError(field: "y", expected: "a number", got: "nothing") }
        }
        func limited(_ place: Double?) -> Double { min(max(place ?? 0, -Touch.farthest), Touch.farthest) }
        self.init(id: id, phase: phase, x: limited(x), y: limited(y))
    }
}
