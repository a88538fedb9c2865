import Music

/// The slot that a track plays, the launch that is queued, and what follows it: a plain value in a score.
///
/// The process callback decides when a launch is due. From then on it plays the launched slot, until a score arrives
/// that already includes the launch, by its number. It continues with the links of a chain by itself.
public struct TrackLaunch: Sendable, BitwiseCopyable {
    /// Launches of a track are numbered upward from 1, the links that follow one from its number on; 0 if none is queued.
    public var number: Int64 = 0
    /// The newest launch that ``playing`` includes; a later one that has happened stays in effect.
    public var known: Int64 = 0
    /// The slot to play, from 0.
    public var slot: Int32 = 0
    /// The slot that plays, from 0.
    public var playing: Int32 = 0
    /// The steps on which it may take effect.
    public var point = LaunchQuantum.step
    /// Whether it continues a chain: then not with the step that the music starts with, as the slot before it plays its
    /// loop first.
    public var isLink = false
    /// The slots that follow it, each on a step 0.
    public var links = ChainLinks()

    @_noLocks @_noAllocation
    public init() {}

    /// Whether it is the launch done last, or its chain has reached that one.
    func includes(_ done: Int64) -> Bool {
        number != 0 && (number == done || number < done && !links.isEmpty)
    }
}

/// The slots that follow a launch, over and over: a plain value in a score.
public struct ChainLinks: Sendable, BitwiseCopyable {
    private var slots: InlineArray<16, UInt8> = InlineArray(repeating: 0)
    private var count: UInt8 = 0

    /// No chain.
    @_noLocks @_noAllocation
    public init() {}

    /// The slots of a track, from 0; at most ``LaunchQueue/longestChain``.
    public init(_ indices: [Int]) {
        precondition(indices.count <= LaunchQueue.longestChain, "a chain has at most 16 links")
        count = UInt8(indices.count)
        for (place, index) in indices.enumerated() { slots[place] = UInt8(index) }
    }

    var isEmpty: Bool { count == 0 }

    /// The slot of a link, the first of which is 1; there must be a chain.
    func slot(ofLink link: Int64) -> Int32 { Int32(slots[Int((link - 1) % Int64(count))]) }
}

/// A launch that was carried out.
public struct DoneLaunch: Sendable, BitwiseCopyable {
    /// Its number; 0 for none.
    public var number: Int64 = 0
    /// The slot that it plays, from 0.
    public var slot: Int32 = 0
    /// The audio frame on which it took effect.
    public var frame: Int64 = 0
    /// JACK's time of that frame in µs.
    public var usecs: UInt64 = 0
}
