/// The mixer's part of a document.
public struct Mix: Sendable {
    /// The settings of one track.
    public struct TrackMix: Sendable {
        /// Whether the track is muted; a soloed track sounds all the same.
        public let isMuted: Bool
        /// Gain in dB.
        public let gain: Double
        /// Place in the stereo mix: -1 left, 0 centre, 1 right.
        public let pan: Double
    }

    fileprivate let document: Document

    /// The soloed track.
    public var solo: Track? { document.soloedTrack }

    /// The settings of a track.
    public subscript(track: Track) -> TrackMix {
        TrackMix(
            isMuted: document.isOn(.mute, track), gain: document.number(.gain, track),
            pan: document.number(.pan, track))
    }
}

extension Document {
    /// The mixer's part.
    public var mix: Mix { Mix(document: self) }
}
