import JSON
import Music
import PatternFormat

/// The slots of a track, numbered from 1.
public struct TrackSlots: WireMessage {
    /// The slot that plays and is shown.
    public var playing: Int
    /// The slots that have notes, those of hidden steps included.
    public var filled: [Int]

    /// Slots of a track; the default is a new instrument's.
    public init(playing: Int = 1, filled: [Int] = []) {
        self.playing = playing
        self.filled = filled
    }

    /// What a pattern has on a track.
    public init(_ pattern: Pattern, of track: Track) {
        self.init(
            playing: pattern.playing[track] + 1,
            filled: (0..<Slot.count).filter { pattern.isFilled(Slot(track, $0)) }.map { $0 + 1 })
    }

    /// `{"playing": 1, "filled": [1, 3]}`
    public static let kind = Kind<TrackSlots>.record(
        Member("playing", .slotNumber, \.playing), Member("filled", .array(of: .slotNumber), \.filled),
        make: { TrackSlots(playing: $0, filled: $1) }
    ).defined(as: "Slots")
}

extension Kind<[TrackSlots]> {
    /// The slots of all tracks, in their order: an object with a member for each track.
    static let byTrack = Kind.object(
        schema: Schema(
            [
                "type": "object",
                "properties": .object(
                    JSONObject(
                        Track.allCases.map { .init(name: $0.name, value: .object(TrackSlots.kind.schema.json)) })),
                "required": .array(Track.allCases.map { .string($0.name) }),
            ], containing: [TrackSlots.kind.schema]),
        reading: { (fields) throws(FieldError) in
            var slots: [TrackSlots] = []
            for track in Track.allCases {
                slots.append(try fields.optional(track.name, TrackSlots.kind) ?? TrackSlots())
            }
            return slots
        },
        writing: { slots in
            JSONObject(
                zip(Track.allCases, slots).map { .init(name: $0.name, value: TrackSlots.kind.json(of: $1)) })
        })
}
