import Music

/// What a track plays, and the launches that wait on it: a plain value in a score.
///
/// The process callback decides when a launch is due. From then on it plays the launched slot, until a score arrives
/// that already includes the launch, by its number. It continues with the links of a chain by itself.
public struct NumberedLaunches: Equatable, Sendable, BitwiseCopyable {
    /// The slot that plays, from 0.
    public var playing: Int32 = 0
    /// The newest launch that ``playing`` includes; a later one that has happened stays in effect.
    public var known: Int64 = 0
    /// What plays next.
    public private(set) var waiting = TrackLaunches()
    /// The number of the next launch. The launches of a track are numbered upward from 1.
    public private(set) var number: Int64 = 0

    /// The first slot plays, and nothing waits.
    @_noLocks @_noAllocation
    public init() {}

    /// Lets launches wait in place of others.
    ///
    /// - Parameter number: The number of the next one, greater than that of any earlier launch of the track. The links of
    ///   a chain have the numbers after it.
    @_noLocks @_noAllocation
    public mutating func queue(_ launches: TrackLaunches, number: Int64) {
        (waiting, self.number) = (launches, number)
    }

    /// Drops what waits.
    @_noLocks @_noAllocation
    public mutating func cancel() { waiting = TrackLaunches() }

    /// Whether one of the launches that wait, or will, has this number.
    func include(_ number: Int64) -> Bool {
        if case nil = waiting.next { return false }
        return number == self.number || number > self.number && waiting.isChain
    }

    /// Advances to the launch with a number.
    mutating func advance(to number: Int64) {
        waiting.advance(by: number - self.number)
        self.number = number
    }
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
