import JSON
import Music

/// What the mixer does to one track.
public struct TrackState: WireMessage {
    /// Whether the track is muted.
    public var mute: Bool
    /// Whether it is the soloed one.
    public var solo: Bool
    /// dB, -60 to +12.
    public var gain: Double
    /// -1 (left) to 1 (right).
    public var pan: Double

    /// A track that is on, at 0 dB, in the centre, unless told otherwise.
    public init(mute: Bool = false, solo: Bool = false, gain: Double = 0, pan: Double = 0) {
        self.mute = mute
        self.solo = solo
        self.gain = gain
        self.pan = pan
    }

    /// Reads `{"mute": false, "solo": false, "gain": 0, "pan": 0}`.
    public init(_ fields: Fields) throws(FieldError) {
        mute = try fields("mute", .boolean)
        solo = try fields("solo", .boolean)
        gain = try fields("gain", .number)
        pan = try fields("pan", .number)
    }

    /// `{"mute": false, "solo": false, "gain": 0, "pan": 0}`
    public var json: JSONObject {
        ["mute": .bool(mute), "solo": .bool(solo), "gain": .number(gain), "pan": .number(pan)]
    }
}

/// The mixer: one state for each track.
public struct TrackStates: WireMessage {
    private var states: [TrackState]

    /// All tracks on, at 0 dB, in the centre.
    public init() {
        states = Track.allCases.map { _ in TrackState() }
    }

    /// The state of a track.
    public subscript(track: Track) -> TrackState {
        get { states[track.rawValue] }
        set { states[track.rawValue] = newValue }
    }

    /// Reads `{"melody": ..., "chords": ..., "bass": ..., "rhythm": ...}`.
    public init(_ fields: Fields) throws(FieldError) {
        self.init()
        for track in Track.allCases {
            self[track] = try fields(track.name, .message(TrackState.self))
        }
    }

    /// `{"melody": ..., "chords": ..., "bass": ..., "rhythm": ...}`
    public var json: JSONObject {
        JSONObject(Track.allCases.map { .init(name: $0.name, value: .object(self[$0].json)) })
    }
}
