import Gestures
import Grid
import JSON
import Session
import Wire

extension MethodTable {
    /// Greeting, touching, watching.
    static let general: [Method] = [
        Method(
            "hello", "Tells the client's name and what its touch surface can tell; may be left out.",
            .optional("client", .clientName, "The client's name, for stats.get and the log."),
            .optional("touch", .surface, "The touch surface; finer than cells at 21 px a cell unless told otherwise."),
            .optional(
                "remote", .boolean,
                "Whether the client is on another machine: then it may not name files of this one, for good."),
            result: Schemas.greeting
        ) { call, name, surface, isRemote in
            if let name { call.client.name = name }
            if isRemote == true { call.client.isRemote = true }
            let id = call.client.id
            if let surface { call.ask { $0.declare(surface, of: id) } }
            // Unknown members are ignored: what was taken is said, so that a misplaced one is seen.
            var greeting = call.loop.welcome.json
            greeting["client"] = .string(call.client.name)
            greeting["touch"] = .object(call.ask { $0.surface(of: id) }.json)
            if call.client.isRemote { greeting["remote"] = true }
            return .value(greeting)
        },
        Method("ping", "Answers.", result: Schemas.empty) { _ in .nothing },
        Method(
            "touch", "Tells what a finger did; usually sent as a notification.",
            .required("touch", .integer, "The client's own id of the finger."),
            .required("phase", .choice, "What the finger did."),
            .optional("x", .number, "Cells from the left, the integer part being the column; not for cancel."),
            .optional("y", .number, "Cells from the top, the integer part being the row; not for cancel."),
            result: Schemas.touch
        ) { call, id, phase, x, y in
            let touch = try Touch(id: id, phase: phase, x: x, y: y)
            let (client, now) = (call.client.id, call.now)
            let reply = try call.ask { try $0.touch(touch, by: client, at: now) }
            return .value(TouchOutcome(reply).json)
        },
        Method(
            "subscribe", "Starts notifications, and returns the present value of frame and state.",
            .required("topics", .topics, "What to be notified of."),
            .optional(
                "maxFps", .integer(in: ControlProtocol.frameRates), default: ControlProtocol.defaultFrameRate,
                shown: .integer(ControlProtocol.defaultFrameRate), "The most frames a second that are wanted."),
            result: Schemas.subscription
        ) { call, topics, rate in
            .encoded(call.loop.subscribe(call.client, to: topics, rate: rate, answeredIn: call.line))
        },
        Method(
            "unsubscribe", "Ends notifications.",
            .required("topics", .topics, "What to be notified of no longer."),
            result: Schemas.empty
        ) { call, topics in
            for topic in topics { call.client.subscriptions.remove(topic) }
            return .nothing
        },
        Method("frame.get", "Returns the picture as a key frame.", result: Schemas.keyFrame) { call in
            .encoded(call.loop.keyFrame(at: call.now))
        },
        Method("state.get", "Returns all settings.", result: Schemas.state) { call in
            .value(call.loop.instrumentState().json)
        },
        Method("stats.get", "Returns figures about the daemon and its clients.", result: Schemas.statistics) { call in
            .value(call.loop.statistics().json)
        },
    ]
}

extension Touch {
    /// A finger farther from the grid than this is not told from one at this distance; keeps arithmetic on places
    /// well within the range of integers.
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

extension TouchOutcome {
    fileprivate init(_ reply: TouchReply) {
        self.init(gesture: reply.outcome?.gesture, notes: reply.outcome?.notes, frame: reply.frame)
    }
}

extension Kind<[Topic]> {
    fileprivate static let topics = Kind.array(of: Kind<Topic>.choice)
}

extension Kind<TouchSurface> {
    fileprivate static let surface = Kind.object(
        schema: [
            "type": "object",
            "properties": [
                "resolution": .object(resolution.schema), "cellPixels": .object(cellPixels.schema),
            ],
        ]
    ) { (fields) throws(FieldError) in
        var surface = TouchSurface()
        if let resolution = try fields.optional("resolution", resolution) { surface.resolution = resolution }
        if let cellPixels = try fields.optional("cellPixels", cellPixels) { surface.cellPixels = cellPixels }
        return surface
    }

    private static let resolution = Kind<TouchSurface.Resolution>.choice
    private static let cellPixels = Kind<Double>.number(in: 1...1000)
}

extension TouchSurface {
    fileprivate var json: JSONObject {
        ["resolution": .string(resolution.rawValue), "cellPixels": .number(cellPixels)]
    }
}
