/// Eight pads that belong together: the slots of a track, or the scenes.
public enum SlotBank: Hashable, Sendable {
    case track(Track)
    case scenes

    /// All banks, in the order in which the grid has them.
    public static let all = Track.allCases.map(SlotBank.track) + [.scenes]

    /// The tracks whose slots are launched and copied.
    public var tracks: [Track] {
        switch self {
        case .track(let track): [track]
        case .scenes: Track.allCases
        }
    }

    /// The slots of one pad, 0 to 7.
    public func slots(_ index: Int) -> [Slot] { tracks.map { Slot($0, index) } }
}

/// What may be asked of the launches.
public enum LaunchRequest: Equatable, Sendable {
    /// Plays a slot or a scene in place of what plays.
    case launch(SlotBank, Int, LaunchMoment)
    /// Plays slots or scenes one after the other, a loop each, round and round: the first as if it were launched.
    case chain(SlotBank, [Int])
    /// Lets what plays stay, on some tracks or on all of them.
    case cancel(SlotBank)
}

/// When a launch takes effect.
public enum LaunchMoment: String, CaseIterable, Sendable {
    /// At the next launch point.
    case queued
    /// With the next step, at the same place of the loop.
    case now
}
