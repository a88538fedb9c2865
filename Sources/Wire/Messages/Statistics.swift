import JSON

/// The answer to `stats.get`.
public struct Statistics: WireMessage {
    /// Seconds since the daemon started.
    public var uptime: Double
    /// How the audio driver fares.
    public var audio: AudioStatistics
    /// The clients that are connected, in the order in which they came.
    public var clients: [ClientStatistics]
    /// Pictures sent to and kept from all clients that ever connected.
    public var frames: FrameCounts
    /// Notifications that would have been answered with an error.
    public var errors: Int
    /// Resident memory of the daemon in bytes.
    public var memory: Int

    /// The answer to `stats.get`.
    public init(
        uptime: Double, audio: AudioStatistics, clients: [ClientStatistics], frames: FrameCounts, errors: Int,
        memory: Int
    ) {
        self.uptime = uptime
        self.audio = audio
        self.clients = clients
        self.frames = frames
        self.errors = errors
        self.memory = memory
    }

    /// Reads the answer to `stats.get`.
    public init(_ fields: Fields) throws(FieldError) {
        uptime = try fields("uptime", .number)
        audio = try fields("audio", .message(AudioStatistics.self))
        clients = try fields("clients", .array(of: .message(ClientStatistics.self)))
        frames = try fields("frames", .message(FrameCounts.self))
        errors = try fields("errors", .integer)
        memory = try fields("memory", .integer)
    }

    /// The answer to `stats.get`.
    public var json: JSONObject {
        [
            "uptime": .number(uptime), "audio": .object(audio.json),
            "clients": .array(clients.map { .object($0.json) }), "frames": .object(frames.json),
            "errors": .integer(errors), "memory": .integer(memory),
        ]
    }
}

/// How the audio driver fares.
public struct AudioStatistics: WireMessage {
    /// What the audio driver is doing.
    public var state: AudioState
    /// Periods that were late, since the driver started.
    public var xruns: Int
    /// Mean share of the period that the process callback takes, 0 to 1.
    public var load: Double
    /// The longest that the process callback took, in µs.
    public var worst: Double
    /// Steps and other news of the audio thread that were lost, because nobody took them in time.
    public var droppedNotices: Int

    /// How the audio driver fares.
    public init(
        state: AudioState, xruns: Int = 0, load: Double = 0, worst: Double = 0, droppedNotices: Int = 0
    ) {
        self.state = state
        self.xruns = xruns
        self.load = load
        self.worst = worst
        self.droppedNotices = droppedNotices
    }

    /// Reads the members of the state, `xruns`, `load`, `worst` and `droppedNotices`.
    public init(_ fields: Fields) throws(FieldError) {
        state = try AudioState(fields)
        xruns = try fields("xruns", .integer)
        load = try fields("load", .number)
        worst = try fields("worst", .number)
        droppedNotices = try fields.optional("droppedNotices", .integer) ?? 0
    }

    /// The members of the state, `xruns`, `load`, `worst` and `droppedNotices`.
    public var json: JSONObject {
        var object = state.json
        object["xruns"] = .integer(xruns)
        object["load"] = .number(load)
        object["worst"] = .number(worst)
        object["droppedNotices"] = .integer(droppedNotices)
        return object
    }
}

/// How one client fares.
public struct ClientStatistics: WireMessage {
    /// The number that the daemon gave it.
    public var id: Int
    /// The name that it gave itself with `hello`, empty for none.
    public var name: String
    /// Pictures sent to it and kept from it.
    public var frames: FrameCounts

    /// How one client fares.
    public init(id: Int, name: String, frames: FrameCounts) {
        self.id = id
        self.name = name
        self.frames = frames
    }

    /// Reads `{"id": 1, "name": "tui", "frames": {"sent": 10, "dropped": 0}}`.
    public init(_ fields: Fields) throws(FieldError) {
        id = try fields("id", .integer)
        name = try fields("name", .string)
        frames = try fields("frames", .message(FrameCounts.self))
    }

    /// `{"id": 1, "name": "tui", "frames": {"sent": 10, "dropped": 0}}`
    public var json: JSONObject {
        ["id": .integer(id), "name": .string(name), "frames": .object(frames.json)]
    }
}

/// Pictures sent, and pictures that were never sent because a newer one came before the client could take them.
public struct FrameCounts: WireMessage {
    /// Pictures sent.
    public var sent: Int
    /// Pictures that a newer one replaced before they could be sent.
    public var dropped: Int

    /// None, unless told otherwise.
    public init(sent: Int = 0, dropped: Int = 0) {
        self.sent = sent
        self.dropped = dropped
    }

    /// Reads `{"sent": 10, "dropped": 0}`.
    public init(_ fields: Fields) throws(FieldError) {
        self.init(sent: try fields("sent", .integer), dropped: try fields("dropped", .integer))
    }

    /// `{"sent": 10, "dropped": 0}`
    public var json: JSONObject { ["sent": .integer(sent), "dropped": .integer(dropped)] }
}
