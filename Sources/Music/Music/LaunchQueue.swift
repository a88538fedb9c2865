/// What plays next on each track: queued launches, and chains. It has no effects of its own: it receives requests and
/// the clock's launches.
public struct LaunchQueue: Equatable, Sendable {
    private var tracks = [TrackLaunches](repeating: TrackLaunches(), count: Track.allCases.count)
    private var scenes = TrackLaunches()

    /// An empty queue.
    public init() {}

    // MARK: What waits

    /// What waits on a track.
    public subscript(track: Track) -> TrackLaunches { self[.track(track)] }

    /// The slot of a track, or the scene, that is queued.
    public func queued(_ bank: SlotBank) -> Int? { self[bank].queued }

    /// The slots of a track, or the scenes, that follow each other; empty without a chain.
    public func chain(_ bank: SlotBank) -> [Int] { self[bank].chain }

    /// Whether anything is queued.
    public var isQueued: Bool { tracks.contains { $0.queued != nil } }

    /// What plays in each loop of the chains, from their first links to the end of the longest; shorter ones, and what plays
    /// without a chain, are repeated. Empty without any chain.
    public func chainedTurns(playing: PlayingSlots) -> [PlayingSlots] {
        let chains = tracks.map(\.chain)
        return (0..<(chains.map(\.count).max() ?? 0)).map { turn in
            var turns = playing
            for (track, chain) in zip(Track.allCases, chains) where !chain.isEmpty {
                turns.play(Slot(track, chain[turn % chain.count]))
            }
            return turns
        }
    }

    private subscript(bank: SlotBank) -> TrackLaunches {
        get {
            switch bank {
            case .track(let track): tracks[track.rawValue]
            case .scenes: scenes
            }
        }
        set {
            switch bank {
            case .track(let track): tracks[track.rawValue] = newValue
            case .scenes: scenes = newValue
            }
        }
    }

    // MARK: Requests

    /// Accepts a request. A launched slot that already plays continues, and what waited on its track is dropped.
    public mutating func accept(_ request: LaunchRequest, playing: PlayingSlots) {
        switch request {
        case .launch(let bank, let index, let moment): queue([index], on: bank, moment, playing: playing)
        case .chain(let bank, let indices): queue(indices, on: bank, .queued, playing: playing)
        case .cancel(let bank): set(bank) { _ in TrackLaunches() }
        }
    }

    private mutating func queue(
        _ indices: [Int], on bank: SlotBank, _ moment: LaunchMoment, playing: PlayingSlots
    ) {
        guard let first = indices.first else { return }
        // The tracks of a scene's chain advance together: none begins before the others.
        let launches = TrackLaunches(
            indices, moment, isPlaying: bank.tracks.allSatisfy { playing[$0].index == first })
        set(bank) { playing[$0].index == first && !launches.isChain ? TrackLaunches() : launches }
        if case .scenes = bank, launches.next != nil { scenes = launches }
    }

    /// Replaces what waits on the tracks of a bank; a track that leaves a scene's launch or chain ends it.
    private mutating func set(_ bank: SlotBank, _ launches: (Track) -> TrackLaunches) {
        let before = tracks
        for track in bank.tracks { self[.track(track)] = launches(track) }
        if tracks != before { scenes = TrackLaunches() }
    }

    /// Empties the queue and ends all chains.
    public mutating func end() { self = LaunchQueue() }

    // MARK: Launches

    /// The clock has carried out a track's next launch.
    public mutating func launched(on track: Track) {
        self[.track(track)].advance()
        if scenes.queued != nil, !isQueued { scenes.advance() }
    }

    /// Takes out everything that is queued, because the clock does not run; chains stay.
    ///
    /// - Returns: The slots to play at once.
    public mutating func fetchQueued() -> [Slot] {
        Track.allCases.compactMap { track in
            guard let index = self[track].queued else { return nil }
            launched(on: track)
            return Slot(track, index)
        }
    }
}

/// The steps on which queued launches take effect.
public enum LaunchQuantum: UInt8, Named, BitwiseCopyable {
    /// A step 0 that starts, however it was reached.
    case loop
    /// A song position that is a multiple of 16 steps.
    case bar
    /// A song position that is a multiple of 4 steps.
    case beat
    /// Every step.
    case step

    public var name: String {
        switch self {
        case .loop: "loop"
        case .bar: "bar"
        case .beat: "beat"
        case .step: "step"
        }
    }

    /// Launches take effect whenever this loop begins.
    @_noLocks @_noAllocation
    public func loop(in whole: Loop) -> Loop {
        switch self {
        case .loop: whole
        case .bar: Loop(length: 16)
        case .beat: Loop(length: 4)
        case .step: Loop(length: 1)
        }
    }
}

extension Document {
    /// The steps on which queued launches take effect.
    public var launchQuantum: LaunchQuantum { LaunchQuantum.allCases[Int(number(.launchQuantum))] }
}

/// Eight pads that belong together: the slots of a track, or the scenes.
public enum SlotBank: Hashable, Sendable {
    case track(Track)
    case scenes

    /// All banks, in the order of the grid.
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

/// A request to launch something, or to cancel launches.
public enum LaunchRequest: Equatable, Sendable {
    /// Plays a slot or a scene in place of what plays.
    case launch(SlotBank, Int, LaunchMoment)
    /// Plays slots or scenes one after the other, a loop each, over and over; the first starts like a queued launch.
    case chain(SlotBank, [Int])
    /// Drops what waits, on one track or on all of them.
    case cancel(SlotBank)
}

/// When a launch takes effect.
public enum LaunchMoment: String, CaseIterable, Sendable, BitwiseCopyable {
    /// At the next launch point.
    case queued
    /// With the next step, at the same place of the loop.
    case now
}

extension LaunchMoment {
    // Audio threads compare these. Swift 6.2 would compare their texts, for which it counts references.

    @_noLocks @_noAllocation
    public static func == (one: LaunchMoment, other: LaunchMoment) -> Bool { one.place == other.place }

    @_noLocks @_noAllocation
    public static func != (one: LaunchMoment, other: LaunchMoment) -> Bool { one.place != other.place }

    private var place: Int {
        switch self {
        case .queued: 0
        case .now: 1
        }
    }
}
