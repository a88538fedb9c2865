import Music

/// The length and speed of what a track plays: a plain value in a score.
public struct SlotTime: Sendable, BitwiseCopyable {
    /// Steps of a loop of its own, 1 to 32; 0 for the whole's.
    public var length: Int32 = 0
    /// How fast the steps follow each other.
    public var speed = Speed.normal

    /// The whole's.
    @_noLocks @_noAllocation
    public init() {}

    /// A slot's.
    init(_ slot: SlotNotes) {
        length = Int32(slot.length ?? 0)
        speed = slot.speed
    }

    /// When its steps are played.
    func time(in whole: Loop) -> TrackTime {
        TrackTime(length: length == 0 ? nil : Int(length), speed: speed, whole: whole)
    }
}
