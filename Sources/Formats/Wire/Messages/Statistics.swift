import Instrument
import JSON
import Music

/// The answer to `stats.get`.
public struct Statistics: WireMessage {
    /// Seconds since the daemon started.
    public var uptime: Double
    public var audio: AudioStatistics
    /// Counts of MIDI messages that were delayed, skipped or echoes.
    public var midi: MidiCounts
    /// The connected clients, in the order of their arrival.
    public var clients: [ClientStatistics]
    /// Pictures sent to and dropped for all clients that ever connected.
    public var frames: DeliveryCounts
    /// Notifications that would have been answered with an error.
    public var errors: Int
    /// Resident memory of the daemon in bytes.
    public var memory: Int

    public init(
        uptime: Double, audio: AudioStatistics, midi: MidiCounts = MidiCounts(), clients: [ClientStatistics],
        frames: DeliveryCounts, errors: Int, memory: Int
    ) {
        self.uptime = uptime
        self.audio = audio
        self.midi = midi
        self.clients = clients
        self.frames = frames
        self.errors = errors
        self.memory = memory
    }

    public static let kind = Kind<Statistics>.record(
        Member("uptime", .number.counted(in: "s"), \.uptime), Member("audio", AudioStatistics.kind, \.audio),
        .defaulted("midi", MidiCounts.kind, MidiCounts(), \.midi),
        Member("clients", .array(of: ClientStatistics.kind), \.clients),
        Member("frames", DeliveryCounts.kind, \.frames),
        Member("errors", .integer, \.errors), Member("memory", .integer.counted(in: "bytes"), \.memory),
        make: {
            Statistics(uptime: $0, audio: $1, midi: $2, clients: $3, frames: $4, errors: $5, memory: $6)
        })
}

extension MidiCounts: WireMessage {
    /// `{"delayed": 0, "skipped": 0, "echoes": 0}`
    public static let kind = Kind<MidiCounts>.record(
        Member("delayed", .integer, \.delayed), Member("skipped", .integer, \.skipped),
        Member("echoes", .integer, \.echoes),
        make: { MidiCounts(delayed: $0, skipped: $1, echoes: $2) })
}

public struct AudioStatistics: WireMessage {
    public var state: AudioState
    /// Late periods since the driver started.
    public var xruns: Int
    public var xrunsLastHour: Int
    /// Mean share of the period that the process callback uses, 0 to 1.
    public var load: Double
    /// The longest run of the process callback, in µs.
    public var worst: Double
    /// Steps and other notices of the audio thread that were lost, because they were not read in time.
    public var droppedNotices: Int

    public init(
        state: AudioState, xruns: Int = 0, xrunsLastHour: Int = 0, load: Double = 0, worst: Double = 0,
        droppedNotices: Int = 0
    ) {
        self.xrunsLastHour = xrunsLastHour
        self.state = state
        self.xruns = xruns
        self.load = load
        self.worst = worst
        self.droppedNotices = droppedNotices
    }

    /// The members of the state, `xruns`, `xrunsLastHour`, `load`, `worst` and `droppedNotices`.
    public static let kind = Kind<AudioStatistics>.record(
        .embedded(AudioState.kind, \.state), Member("xruns", .integer, \.xruns),
        .defaulted("xrunsLastHour", .integer, 0, \.xrunsLastHour), Member("load", .number, \.load),
        Member("worst", .number.counted(in: "µs"), \.worst),
        .defaulted("droppedNotices", .integer, 0, \.droppedNotices),
        make: {
            AudioStatistics(state: $0, xruns: $1, xrunsLastHour: $2, load: $3, worst: $4, droppedNotices: $5)
        })
}

/// One client's figures.
public struct ClientStatistics: WireMessage {
    /// The number that the daemon gave it.
    public var id: Int
    /// The name it chose with `hello`, empty for none.
    public var name: String
    /// Pictures sent to it and dropped.
    public var frames: DeliveryCounts
    /// Audio blocks sent to it and dropped; nil if it does not listen.
    public var audio: DeliveryCounts?

    public init(id: Int, name: String, frames: DeliveryCounts, audio: DeliveryCounts? = nil) {
        self.id = id
        self.name = name
        self.frames = frames
        self.audio = audio
    }

    /// `{"id": 1, "name": "tui", "frames": {"sent": 10, "dropped": 0}}`; for listeners also `audio`, like `frames`.
    public static let kind = Kind<ClientStatistics>.record(
        Member("id", .integer, \.id), Member("name", .string, \.name), Member("frames", DeliveryCounts.kind, \.frames),
        .optional("audio", DeliveryCounts.kind, \.audio),
        make: { ClientStatistics(id: $0, name: $1, frames: $2, audio: $3) })
}

/// Pictures, or audio blocks, that were sent, and those dropped because a newer one came before the client had room.
public struct DeliveryCounts: WireMessage {
    public var sent: Int
    public var dropped: Int

    /// None by default.
    public init(sent: Int = 0, dropped: Int = 0) {
        self.sent = sent
        self.dropped = dropped
    }

    /// `{"sent": 10, "dropped": 0}`
    public static let kind = Kind<DeliveryCounts>.record(
        Member("sent", .integer, \.sent), Member("dropped", .integer, \.dropped),
        make: { DeliveryCounts(sent: $0, dropped: $1) })

    /// Adds another client's counts.
    public static func += (sum: inout DeliveryCounts, more: DeliveryCounts) {
        sum.sent += more.sent
        sum.dropped += more.dropped
    }
}
