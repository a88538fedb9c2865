/// What the mixer does to one track.
public struct TrackMix: Equatable, Sendable {
    /// Whether the track is muted; a soloed track sounds all the same.
    public var isMuted = false
    /// Gain in dB, -60 to +12.
    public var gain = 0.0
    /// Place in the stereo mix: -1 left, 0 centre, 1 right.
    public var pan = 0.0

    /// Gains that a track may have, in dB.
    public static let gains = -60.0...12.0
    /// Pans that a track may have.
    public static let pans = -1.0...1.0

    /// A track that is on, at 0 dB, in the centre.
    public init() {}
}

/// The mixer: mute, gain and pan of each track, and the one that may be soloed.
public struct Mix: Equatable, Sendable {
    private var tracks = [TrackMix](repeating: TrackMix(), count: Track.allCases.count)

    /// The soloed track: all others are silent.
    public var solo: Track?

    /// All tracks on, at 0 dB, in the centre, none soloed.
    public init() {}

    /// The settings of a track.
    public subscript(track: Track) -> TrackMix {
        get { tracks[track.rawValue] }
        set { tracks[track.rawValue] = newValue }
    }

    /// Whether a track does not sound: muted and not soloed, or another one is soloed.
    public func isSilent(_ track: Track) -> Bool {
        if let solo { return solo != track }
        return self[track].isMuted
    }
}
