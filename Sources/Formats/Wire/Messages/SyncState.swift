import Instrument
import JSON
import Music
import PatternFormat

/// In the state it is part of `sync`, beside the settings.
extension SyncState {
    /// `{"following": "jack", "leading": [], "bpm": 127.98, "locked": true}`
    private static let own = Kind<SyncState>.record(
        Member("following", .name, \.following), Member("leading", .array(of: .name), \.leading),
        Member("bpm", .number, \.bpm), Member("locked", .boolean, \.locked),
        .optional("holder", .string, \.holder), .optional("holderBpm", .number, \.holderBpm),
        .optional("peers", .integer, \.peers), .optional("secondClock", .boolean, \.secondClock),
        make: {
            SyncState(
                following: $0, leading: $1, bpm: $2, locked: $3, holder: $4, holderBpm: $5, peers: $6,
                hasSecondClock: $7 ?? false)
        })

    /// Left out while there is none.
    private var secondClock: Bool? { hasSecondClock ? true : nil }

    /// The same as the member `sync`; an older version's missing members get defaults.
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

extension TimelineState: WireMessage {
    /// `{"beat": 16.5, "usecs": 123456789, "bpm": 120, "playing": true, "quantum": 4}`
    public static let kind = Kind<TimelineState>.record(
        Member("beat", .number, \.beat), Member("usecs", .integer, \.usecs), Member("bpm", .number, \.bpm),
        Member("playing", .boolean, \.playing), Member("quantum", .number, \.quantum),
        make: { TimelineState(beat: $0, usecs: $1, bpm: $2, playing: $3, quantum: $4) })
}

extension TimelineRequest: NotificationMessage {
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

/// The clocks of the daemon's machine at one moment, in µs. JACK's is one of the other two; which one depends on the
/// server.
public struct ClockTimes: WireMessage {
    /// JACK's clock.
    public var jack: Int
    /// The system's monotonic clock.
    public var monotonic: Int
    /// The same without NTP corrections.
    public var monotonicRaw: Int

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
