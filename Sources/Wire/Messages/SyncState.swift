import JSON
import Music
import PatternFormat

/// What tempo and position follow at present, and who is given ours. In the state it is part of `sync`, beside what is set.
public struct SyncState: Equatable, Sendable {
    /// What is followed: `internal` for nothing.
    public var following: SyncSource
    /// Who is given our tempo and position: those of the lead for whom that is possible at present.
    public var leading: [SyncLead]
    /// The tempo that plays.
    public var bpm: Double
    /// Whether the music is where what is followed says.
    public var locked: Bool
    /// The name of the client that holds the timeline, nil when nobody does.
    public var holder: String?
    /// The tempo of that timeline, whether it is followed or not.
    public var holderBpm: Double?
    /// Others whose time it is too, such as the peers of a session on the network; nil if the holder did not say.
    public var peers: Int?

    /// Follows and leads nobody by default.
    public init(
        following: SyncSource = .own, leading: [SyncLead] = [], bpm: Double = 120, locked: Bool = true,
        holder: String? = nil, holderBpm: Double? = nil, peers: Int? = nil
    ) {
        self.following = following
        self.leading = leading
        self.bpm = bpm
        self.locked = locked
        self.holder = holder
        self.holderBpm = holderBpm
        self.peers = peers
    }

    /// `{"following": "jack", "leading": [], "bpm": 127.98, "locked": true}`
    private static let own = Kind<SyncState>.record(
        Member("following", .name, \.following), Member("leading", .array(of: .name), \.leading),
        Member("bpm", .number, \.bpm), Member("locked", .boolean, \.locked),
        .optional("holder", .string, \.holder), .optional("holderBpm", .number, \.holderBpm),
        .optional("peers", .integer, \.peers),
        make: {
            SyncState(following: $0, leading: $1, bpm: $2, locked: $3, holder: $4, holderBpm: $5, peers: $6)
        })

    /// The same as the member `sync`; what an older version leaves out has its default.
    static let kind = Kind<SyncState>.object(
        schema: [
            "type": "object", "properties": ["sync": .object(own.schema.json)], "required": ["sync"],
        ],
        reading: { (fields) throws(FieldError) in
            guard let sync = try fields.optional("sync", .object), sync["following"] != nil else { return SyncState() }
            return try fields("sync", own)
        },
        writing: { ["sync": own.json(of: $0)] })
}

/// What plays at a moment: what `sync.get` returns.
public struct TimelineState: WireMessage {
    /// The song position in beats.
    public var beat: Double
    /// JACK's time in µs at which that is heard.
    public var usecs: Int
    /// Beats per minute.
    public var bpm: Double
    /// Whether the music runs.
    public var playing: Bool
    /// Beats on a multiple of which a timeline is joined.
    public var quantum: Double

    /// What plays at a moment.
    public init(beat: Double, usecs: Int, bpm: Double, playing: Bool, quantum: Double = 4) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.playing = playing
        self.quantum = quantum
    }

    /// `{"beat": 16.5, "usecs": 123456789, "bpm": 120, "playing": true, "quantum": 4}`
    public static let kind = Kind<TimelineState>.record(
        Member("beat", .number, \.beat), Member("usecs", .integer, \.usecs), Member("bpm", .number, \.bpm),
        Member("playing", .boolean, \.playing), Member("quantum", .number, \.quantum),
        make: { TimelineState(beat: $0, usecs: $1, bpm: $2, playing: $3, quantum: $4) })
}

extension TimelineRequest: NotificationMessage {
    /// `sync`
    public static let method = Topic.sync.rawValue

    private enum Word: String, CaseIterable {
        case tempo, play, stop
    }

    private var word: Word {
        switch self {
        case .tempo: .tempo
        case .play: .play
        case .stop: .stop
        }
    }

    private var bpm: Double? { if case .tempo(let bpm) = self { bpm } else { nil } }

    private init(_ word: Word, bpm: Double?) {
        switch word {
        case .tempo: self = .tempo(bpm ?? 120)
        case .play: self = .play
        case .stop: self = .stop
        }
    }

    /// `{"request": "tempo", "bpm": 128}`, `{"request": "play"}` or `{"request": "stop"}`
    public static let kind = Kind<TimelineRequest>.record(
        Member("request", Kind<Word>.choice, \.word), .optional("bpm", .number, \.bpm),
        make: { TimelineRequest($0, bpm: $1) })
}

/// The clocks of the daemon's machine at one moment, in µs: JACK counts in one of the others, which one depends on the
/// server.
public struct ClockTimes: WireMessage {
    /// JACK's.
    public var jack: Int
    /// The system's monotonic one.
    public var monotonic: Int
    /// The same without corrections.
    public var monotonicRaw: Int

    /// Clocks at one moment.
    public init(jack: Int, monotonic: Int, monotonicRaw: Int) {
        self.jack = jack
        self.monotonic = monotonic
        self.monotonicRaw = monotonicRaw
    }

    /// `{"jack": 5000000, "monotonic": 5000100, "monotonicRaw": 5000000}`
    public static let kind = Kind<ClockTimes>.record(
        Member("jack", .integer, \.jack), Member("monotonic", .integer, \.monotonic),
        Member("monotonicRaw", .integer, \.monotonicRaw),
        make: { ClockTimes(jack: $0, monotonic: $1, monotonicRaw: $2) })
}
