/// A key that plays a track, as one of a keyboard on the track's MIDI channel.
public struct PlayedKey: Hashable, Sendable {
    public let track: Track
    /// A MIDI note number, 0 to 127.
    public let key: Int

    /// Nil for a key that the track does not have: rhythm has those of its drums.
    public init?(_ track: Track, key: Int) {
        guard (0...127).contains(key), track.isPitched || track.note(atMIDIPitch: key) != nil else { return nil }
        (self.track, self.key) = (track, key)
    }

    /// The key of a note, 0 to 11.
    public init(_ track: Track, note: Int) { (self.track, key) = (track, track.midiPitch(of: note)) }
}
