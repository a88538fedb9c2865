/// What to change of a track's settings; nil leaves one as it is.
public struct TrackSettings: Equatable, Sendable {
    /// Mutes or unmutes.
    public var mute: Bool?
    /// Solos, or ends the solo of this track.
    public var solo: Bool?
    /// Gain in dB, -60 to +12.
    public var gain: Double?
    /// -1 (left) to 1 (right).
    public var pan: Double?

    /// A change of nothing, unless told otherwise.
    public init(mute: Bool? = nil, solo: Bool? = nil, gain: Double? = nil, pan: Double? = nil) {
        self.mute = mute
        self.solo = solo
        self.gain = gain
        self.pan = pan
    }
}
