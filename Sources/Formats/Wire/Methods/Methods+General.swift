import Grid
import Instrument
import JSON
import Music

// Greetings, touches, subscriptions and status.
extension Methods {
    public static let hello = Method(
        "hello", "Introduces the client: its name and its touch surface. May be left out.",
        .optional("client", .clientName, "The client's name, for stats.get and the log."),
        .optional("touch", .surface, "The touch surface; by default finer than cells, at 21 px a cell."),
        .optional(
            "remote", .boolean,
            "Whether the client is on another machine: it may then never name files on this one."),
        .optional(
            "tooltips", .boolean,
            "False for pictures without tooltips, for clients that show them themselves."),
        make: HelloCall.init, values: { ($0.client, $0.surface, $0.isRemote, $0.tooltips) }, result: Welcome.kind,
        example: .init(
            ["client": "fader box", "touch": ["resolution": "cell"]],
            returns: .object(Welcome(version: "1.2.3", client: "fader box", touch: .cell).json)))

    public static let ping = Method("ping", "Answers.", result: .nothing, example: .init(returns: [:]))

    public static let touch = Method(
        "touch", "Reports what a finger did; usually sent as a notification.",
        .required("touch", .integer, "The client's own id for the finger."),
        .required("phase", Kind<TouchPhase>.choice, "What the finger did."),
        .optional(
            "x", .number.counted(in: "cells"), "Cells from the left, the integer part being the column; not for cancel."
        ),
        .optional(
            "y", .number.counted(in: "cells"), "Cells from the top, the integer part being the row; not for cancel."),
        .optional(
            "ms", .number(in: 0...0x1p53).counted(in: "ms"),
            "When the finger did it, by the client's own clock in ms, so that a late packet turns no tap into a hold."),
        make: TouchCall.init(id:phase:x:y:milliseconds:), values: { ($0.id, $0.phase, $0.x, $0.y, $0.milliseconds) },
        result: TouchOutcome.kind,
        example: .init(["touch": 1, "phase": "down", "x": 4.5, "y": 4.5], returns: [:]))

    public static let subscribe = Method(
        "subscribe", "Starts notifications, and returns the current values of frame, state and labels.",
        .required("topics", .topics, "The topics; audio needs a connection of its own."),
        .optional(
            "maxFps", .integer(in: ControlProtocol.frameRates).counted(in: "frames/s"),
            default: ControlProtocol.defaultFrameRate,
            "Maximum pictures per second."),
        result: SubscribeReply.kind, errors: [.tooManyClients],
        example: .init(["topics": ["step", "tooltip"]], returns: [:]))

    public static let unsubscribe = Method(
        "unsubscribe", "Ends notifications.",
        .required("topics", .topics, "The topics."),
        result: .nothing, example: .init(["topics": ["step"]], returns: [:]))

    public static let frame = Method(
        "frame.get", "Returns the picture as a key frame.", result: KeyFrame.kind, example: .init(returns: nil))

    public static let state = Method(
        "state.get", "Returns all settings.", result: .state,
        example: .init(
            returns: .object(InstrumentState(audio: AudioState(status: .running, rate: 48_000, period: 64)).json)))

    public static let statistics = Method(
        "stats.get", "Returns figures about the daemon and its clients.", result: Statistics.kind,
        example: .init(
            returns: .object(
                Statistics(
                    uptime: 12.5,
                    audio: AudioStatistics(
                        state: AudioState(status: .running, rate: 48_000, period: 64), xruns: 3, load: 0.02, worst: 41),
                    clients: [ClientStatistics(id: 1, name: "", frames: DeliveryCounts())], frames: DeliveryCounts(),
                    errors: 0, memory: 1_000_000
                ).json)))

    public static let ports = Method(
        "audio.ports",
        "Lists all of the daemon's JACK ports, and what each is connected to; empty with the internal driver.",
        result: .array(of: InstrumentPort.kind),
        example: .init(
            returns: .array(
                [
                    "main_L", "main_R", "melody", "chords", "bass", "rhythm", "reverb_L", "reverb_R", "delay_L",
                    "delay_R", "midi_in", "midi_out", "clock_out",
                ].map { .object(InstrumentPort(name: $0).json) })))

    static let general = [
        hello.description, ping.description, touch.description, subscribe.description, unsubscribe.description,
        frame.description, state.description, statistics.description, ports.description,
    ]
}

extension Kind<[Topic]> {
    /// Topics, each once however often it is sent: a line has room for a quarter of a million.
    static let topics: Kind = {
        let any = Kind.array(of: Kind<Topic>.choice)
        return Kind(
            expected: any.expected, schema: any.schema,
            throwing: { (json) throws(FieldError) in
                let topics = try any.value(of: json)
                return Topic.allCases.filter(topics.contains)
            }, writing: { any.json(of: $0) })
    }()
}

extension Kind<TouchSurface> {
    /// `{"resolution": "subcell", "cellPixels": 21}`, both optional.
    static let surface: Kind<TouchSurface> = .record(
        .optional(
            "resolution", Kind<TouchSurface.Resolution>.choice.described(as: ["default": "subcell"]), \.resolution),
        .optional(
            "cellPixels", Kind<Double>.number(in: 1...1000).counted(in: "px").described(as: ["default": 21]),
            \.cellPixels),
        make: { resolution, cellPixels in
            let usual = TouchSurface()
            return TouchSurface(
                resolution: resolution ?? usual.resolution, cellPixels: cellPixels ?? usual.cellPixels)
        })
}
