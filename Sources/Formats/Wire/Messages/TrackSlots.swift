import JSON
import Music
import PatternFormat

/// The slots of a track, numbered from 1.
public struct TrackSlots: WireMessage {
    /// The slot that plays and is shown.
    public var playing: Int
    /// The slot that will play from the next launch point, nil for none.
    public var queued: Int?
    /// The slots that play one after the other; empty without a chain.
    public var chain: [Int]
    /// The slots that have notes, including on hidden steps.
    public var filled: [Int]
    /// The slots that have properties other than defaults, by number.
    public var slots: [Int: SlotState]

    /// A new instrument's slots by default.
    public init(
        playing: Int = 1, queued: Int? = nil, chain: [Int] = [], filled: [Int] = [], slots: [Int: SlotState] = [:]
    ) {
        self.playing = playing
        self.queued = queued
        self.chain = chain
        self.filled = filled
        self.slots = slots
    }

    /// A pattern's slots of a track, and its queued and chained ones.
    public init(_ pattern: Pattern, _ launches: LaunchQueue, of track: Track) {
        let playing = pattern.playing[track].number
        let queued = launches.queued(.track(track)).map { $0 + 1 }
        self.init(
            // A track that waits for the rest of its scene keeps playing its slot, which is not queued again.
            playing: playing, queued: queued == playing ? nil : queued,
            chain: launches.chain(.track(track)).map { $0 + 1 },
            filled: (0..<Slot.count).filter { pattern.isFilled(Slot(track, $0)) }.map { $0 + 1 },
            slots: Dictionary(
                uniqueKeysWithValues: (0..<Slot.count).compactMap {
                    let state = SlotState(pattern[Slot(track, $0)])
                    return state == SlotState() ? nil : ($0 + 1, state)
                }))
    }

    /// `{"playing": 1, "queued": 3, "chain": [], "filled": [1, 3], "slots": {...}}`, `queued` and `slots`
    /// optional.
    public static let kind = Kind<TrackSlots>.record(
        Member("playing", .slotNumber, \.playing), .optional("queued", .slotNumber, \.queued),
        .defaulted("chain", .array(of: .slotNumber), [], \.chain),
        Member("filled", .array(of: .slotNumber), \.filled),
        .optional("slots", .bySlot, \.writtenSlots),
        make: { TrackSlots(playing: $0, queued: $1, chain: $2, filled: $3, slots: $4 ?? [:]) }
    ).defined(as: "Slots")

    private var writtenSlots: [Int: SlotState]? { slots.isEmpty ? nil : slots }
}

/// The queued and chained scenes, numbered from 1.
public struct SceneLaunches: WireMessage {
    /// The scene that will play from the next launch point, nil for none.
    public var queued: Int?
    /// The scenes that play one after the other; empty without a chain.
    public var chain: [Int]

    /// Launches of scenes; none by default.
    public init(queued: Int? = nil, chain: [Int] = []) {
        self.queued = queued
        self.chain = chain
    }

    public init(_ launches: LaunchQueue) {
        self.init(queued: launches.queued(.scenes).map { $0 + 1 }, chain: launches.chain(.scenes).map { $0 + 1 })
    }

    /// `{"queued": 2, "chain": []}`, `queued` optional.
    public static let kind = Kind<SceneLaunches>.record(
        .optional("queued", .slotNumber, \.queued), .defaulted("chain", .array(of: .slotNumber), [], \.chain),
        make: { SceneLaunches(queued: $0, chain: $1) }
    ).defined(as: "Scenes")
}

extension Kind<[TrackSlots]> {
    /// The slots of all tracks, in order: an object with a member for each track.
    static let byTrack = Kind(
        expected: "an object", schema: Kind<[Track: TrackSlots]>.byTrack(TrackSlots.kind, isWhole: true).schema,
        throwing: { (json) throws(FieldError) in
            let slots = try Kind<[Track: TrackSlots]>.byTrack(TrackSlots.kind).value(of: json)
            return Track.allCases.map { slots[$0] ?? TrackSlots() }
        },
        writing: { slots in
            Kind<[Track: TrackSlots]>.byTrack(TrackSlots.kind).json(
                of: Dictionary(uniqueKeysWithValues: zip(Track.allCases, slots)))
        })
}

extension Kind {
    /// An object with a member for each track, any of them optional.
    ///
    /// - Parameter isWhole: Whether the schema requires all members.
    static func byTrack<Each>(_ kind: Kind<Each>, isWhole: Bool = false) -> Kind where Value == [Track: Each] {
        var schema: JSONObject = [
            "type": "object",
            "properties": .object(
                JSONObject(Track.allCases, named: \.name) { _ in .object(kind.schema.json) }),
        ]
        if isWhole { schema["required"] = .array(Track.allCases.map { .string($0.name) }) }
        return .object(
            schema: Schema(schema, containing: [kind.schema]),
            reading: { (fields) throws(FieldError) in
                var values: [Track: Each] = [:]
                for track in Track.allCases { values[track] = try fields.optional(track.name, kind) }
                return values
            },
            writing: { values in
                JSONObject(Track.allCases, named: \.name) { values[$0].map(kind.json(of:)) }
            })
    }
}
