import Music

/// A cell that a drag would write if the finger were lifted now.
public struct PreviewCell: Hashable, Sendable {
    /// The track.
    public var track: Track
    /// 0 to 11.
    public var note: Int
    /// 0 to 31.
    public var step: Int
    /// What would be written.
    public var velocity: Velocity

    /// A cell that a drag would write.
    public init(track: Track, note: Int, step: Int, velocity: Velocity) {
        self.track = track
        self.note = note
        self.step = step
        self.velocity = velocity
    }
}
