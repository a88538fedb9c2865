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

    /// Follows and leads nobody unless told otherwise.
    public init(following: SyncSource = .own, leading: [SyncLead] = [], bpm: Double = 120, locked: Bool = true) {
        self.following = following
        self.leading = leading
        self.bpm = bpm
        self.locked = locked
    }

    /// `{"following": "jack", "leading": [], "bpm": 127.98, "locked": true}`
    private static let own = Kind<SyncState>.record(
        Member("following", .name, \.following), Member("leading", .array(of: .name), \.leading),
        Member("bpm", .number, \.bpm), Member("locked", .boolean, \.locked),
        make: { SyncState(following: $0, leading: $1, bpm: $2, locked: $3) })

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

    /// What plays at a moment.
    public init(beat: Double, usecs: Int, bpm: Double, playing: Bool) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.playing = playing
    }

    /// `{"beat": 16.5, "usecs": 123456789, "bpm": 120, "playing": true}`
    public static let kind = Kind<TimelineState>.record(
        Member("beat", .number, \.beat), Member("usecs", .integer, \.usecs), Member("bpm", .number, \.bpm),
        Member("playing", .boolean, \.playing),
        make: { TimelineState(beat: $0, usecs: $1, bpm: $2, playing: $3) })
}
