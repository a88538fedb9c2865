import JSON
import Music
import PatternFormat

// Bindings of keys and controllers at the MIDI input.
extension Methods {
    private static let example: JSONObject = [
        "on": ["type": "cc", "channel": 3, "number": 74],
        "to": ["method": "track.set", "params": ["track": "bass"], "value": "tone"],
    ]

    public static let bind = Method(
        "midi.bind", "Binds a controller, key or program change at the MIDI input to a parameter or method.",
        .required("on", .trigger, "The trigger; without a channel, or with null, on any channel."),
        .required("to", .action, "The method, its parameters, and which of them the value moves."),
        result: .nothing, errors: [.notFound], example: .init(example, returns: [:]))

    public static let unbind = Method(
        "midi.unbind", "Removes a binding.",
        .required("on", .trigger, "The trigger."),
        result: .nothing, errors: [.notFound],
        example: .init(["on": ["type": "cc", "channel": 1, "number": 7]], returns: [:]))

    public static let bindings = Method(
        "midi.bindings", "Lists the bindings.",
        result: Kind<[MidiBinding]>.record(
            Member("bindings", .array(of: .binding), { $0 }), make: { $0 }),
        example: .init(returns: ["bindings": [.object(example)]]))

    public static let learn = Method(
        "midi.learn",
        "Binds the next message within 30 s, which the topic `midi` reports; unsubscribing from it cancels learning.",
        .required("to", .action, "The method, its parameters, and which of them the value moves."), result: .nothing,
        example: .init(["to": ["method": "track.set", "params": ["track": "bass"], "value": "gain"]], returns: [:]))

    public static let midiPorts = Method(
        "midi.ports", "Lists the daemon's MIDI ports, and what each is connected to; empty without JACK.",
        result: .array(of: InstrumentPort.kind),
        example: .init(
            returns: .array(["midi_in", "midi_out", "clock_out"].map { .object(InstrumentPort(name: $0).json) })))

    static let midi = [
        bind.description, unbind.description, bindings.description, learn.description, midiPorts.description,
    ]
}
