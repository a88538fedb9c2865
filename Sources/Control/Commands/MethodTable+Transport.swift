import JSON
import Music
import Session
import Wire

extension MethodTable {
    /// The clock.
    static let transport: [Method] = [
        transportMethod("transport.play", "Plays from where the clock stands; needs a JACK server.", .play),
        transportMethod("transport.stop", "Stops, and returns to step 0.", .stop),
        transportMethod("transport.pause", "Stops, and stays where it is.", .pause),
        transportMethod("transport.toggle", "Stops what plays, plays what does not.", .toggle),
        Method(
            "transport.locate", "Goes to a step.",
            .required("step", .step, "A step below the length."),
            result: Schemas.transport
        ) { call, step in
            try call.perform(.locate(step))
            return .value(call.transport.json)
        },
        Method(
            "tempo.set", "Sets the tempo.",
            .required("bpm", .tempo, "Beats per minute, kept to two decimals."),
            result: Schemas.tempo
        ) { call, tempo in
            try call.perform(.setTempo(tempo))
            return call.tempo
        },
        Method("tempo.tap", "Takes a tap of the tempo, and returns the tempo.", result: Schemas.tempo) { call in
            try call.perform(.tapTempo)
            return call.tempo
        },
    ]

    private static func transportMethod(_ name: String, _ summary: String, _ command: Command) -> Method {
        Method(name, summary, result: Schemas.transport) { call in
            try call.perform(command)
            return .value(call.transport.json)
        }
    }
}

extension Call {
    fileprivate var transport: TransportState { TransportState(ask { $0.transport }) }

    fileprivate var tempo: Outcome { .value(["bpm": .number(ask { $0.document.pattern.tempo.bpm })]) }
}

extension Kind<Int> {
    /// A step, hidden or not.
    static let step = Kind.integer(in: 0...Cells.stepCount - 1)
}

extension Kind<Tempo> {
    fileprivate static let tempo = Kind<Double>.number(in: Tempo.range)
        .refined(expected: "a number from 20 to 300") { Tempo(bpm: $0) }
}
