/// How many steps a track plays in the time of one sixteenth: a ratio of small integers.
public enum Speed: String, CaseIterable, Hashable, Sendable {
    case quarter = "1/4"
    case third = "1/3"
    case half = "1/2"
    case twoThirds = "2/3"
    case threeQuarters = "3/4"
    case normal = "1"
    case fourThirds = "4/3"
    case threeHalves = "3/2"
    case double = "2"
    case triple = "3"
    case quadruple = "4"

    /// As files, methods and command lines write it: `3/2`.
    public var name: String { rawValue }

    /// Steps in the time of so many sixteenths.
    public var ratio: (steps: Int, sixteenths: Int) {
        @_noLocks @_noAllocation get {
            switch self {
            case .quarter: (1, 4)
            case .third: (1, 3)
            case .half: (1, 2)
            case .twoThirds: (2, 3)
            case .threeQuarters: (3, 4)
            case .normal: (1, 1)
            case .fourThirds: (4, 3)
            case .threeHalves: (3, 2)
            case .double: (2, 1)
            case .triple: (3, 1)
            case .quadruple: (4, 1)
            }
        }
    }
}

/// The law of time for a track, whose slot may have a length and a speed of its own.
///
/// Like `Loop`, it remembers nothing: a track is where it would be had it always been so.
public struct TrackTime: Hashable, Sendable, BitwiseCopyable {
    /// Steps from one beginning to the next, 1 or more.
    public let length: Int
    /// The step of the song with which count 0 starts.
    public let origin: Int64
    /// Steps of the track in the time of `denominator` sixteenths.
    public let numerator: Int
    /// Sixteenths in the time of `numerator` steps of the track.
    public let denominator: Int

    /// The time of a slot: with a length of its own it counts from the song's start, without one as the whole does.
    @_noLocks @_noAllocation
    public init(length: Int?, speed: Speed, whole: Loop) {
        self.length = length ?? whole.length
        origin = length == nil ? whole.origin : 0
        (numerator, denominator) = speed.ratio
    }

    /// The last of the track's steps that has started when a step of the song starts; negative before the origin.
    @_noLocks @_noAllocation
    public func count(at songStep: Int64) -> Int64 {
        TrackTime.quotient((songStep - origin) * Int64(numerator), Int64(denominator))
    }

    /// The step of the slot that a count plays, from 0.
    @_noLocks @_noAllocation
    public func step(of count: Int64) -> Int {
        Int(count - pass(of: count) * Int64(length))
    }

    /// How often the slot began before a count; negative before its origin.
    @_noLocks @_noAllocation
    public func pass(of count: Int64) -> Int64 { TrackTime.quotient(count, Int64(length)) }

    /// The sixteenth in which a count starts, and what share of it is over then.
    @_noLocks @_noAllocation
    public func position(of count: Int64) -> (songStep: Int64, part: Double) {
        let sixteenths = count * Int64(denominator)
        let whole = TrackTime.quotient(sixteenths, Int64(numerator))
        return (origin + whole, Double(sixteenths - whole * Int64(numerator)) / Double(numerator))
    }

    /// A division that rounds down, below 0 too.
    @_noLocks @_noAllocation
    private static func quotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let quotient = dividend / divisor
        return dividend % divisor < 0 ? quotient - 1 : quotient
    }
}
