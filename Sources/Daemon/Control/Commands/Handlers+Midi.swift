import Engine
import Instrument
import JSON
import Music
import Session
import Wire

// Bindings of keys and controllers at the MIDI input.
extension Handlers {
    static let midi: [Handler] = [
        Handler(Methods.bind) { call, parameters in
            let (trigger, action) = parameters
            try action.check()
            guard action.canFollow(trigger) else {
                throw FieldError(field: "on.type", expected: "note or cc, which can be held", got: trigger.kind.name)
            }
            guard call.ask({ $0.document.bindings.hasRoom(for: trigger) }) else {
                throw WireError(.notFound, "there are \(MidiBindings.capacity) bindings already, the maximum")
            }
            try call.perform(.change([.bind(MidiBinding(on: trigger, to: action))]))
        },
        Handler(Methods.unbind) { call, trigger in
            guard call.ask({ $0.document.bindings.all.contains { $0.trigger == trigger } }) else {
                throw WireError(.notFound, "there is no such binding")
            }
            try call.perform(.change([.unbind(trigger)]))
        },
        Handler(Methods.bindings) { call, _ in call.ask { $0.document.bindings.all } },
        Handler(Methods.learn) { call, action in
            try action.check()
            call.loop.controllers.learn(action, for: call.client.id, on: call.loop)
        },
        Handler(Methods.midiPorts) { call, _ in
            call.ask { $0.connections(of: EnginePort.midi) }.map(InstrumentPort.init)
        },
    ]
}
