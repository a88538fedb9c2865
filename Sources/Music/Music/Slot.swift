/// Room for the notes of one track. Each track has eight; one of them plays, is shown, and is edited.
public struct Slot: Hashable, Sendable {
    /// Slots of a track.
    public static let count = 8

    public let track: Track
    /// Which of the track's slots it is, from 0.
    public let index: Int

    /// A slot of a track, 0 to 7.
    public init(_ track: Track, _ index: Int) {
        precondition((0..<Slot.count).contains(index), "slot \(index) outside 0...7")
        self.track = track
        self.index = index
    }

    /// The slot's number for people, from 1.
    public var number: Int { index + 1 }

    /// The slots of all tracks, track by track.
    public static let all = Track.allCases.flatMap { track in (0..<count).map { Slot(track, $0) } }

    /// A scene: the slot of that index of every track.
    public static func scene(_ index: Int) -> [Slot] { Track.allCases.map { Slot($0, index) } }
}

/// Which slot of each track plays.
public struct PlayingSlots: Hashable, Sendable {
    private var indices = SIMD4<UInt8>()

    /// The first slot of each track, or the slots of a scene, 0 to 7.
    public init(scene: Int = 0) {
        for slot in Slot.scene(scene) { play(slot) }
    }

    /// The slot that a track plays.
    public subscript(track: Track) -> Slot { Slot(track, Int(indices[track.rawValue])) }

    /// Plays a slot in place of its track's current one.
    public mutating func play(_ slot: Slot) { indices[slot.track.rawValue] = UInt8(slot.index) }

    /// The playing slots, by track.
    public var all: [Slot] { Track.allCases.map { self[$0] } }

    /// Whether the slot is one of them.
    public func contains(_ slot: Slot) -> Bool { self[slot.track] == slot }
}
