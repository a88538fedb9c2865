/// How many steps a track plays in the time of one sixteenth: a ratio of small integers.
public enum Speed: String, Named, Hashable, BitwiseCopyable {
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

    /// The speeds of the rows of a track, from the bottom.
    public static func choices(rows: Int) -> [Speed] {
        rows < 6 ? [.quarter, .half, .normal, .double] : [.quarter, .half, .twoThirds, .normal, .threeHalves, .double]
    }

    /// The index of the choice with the nearest ratio; of two equally near the slower.
    public func nearest(of choices: [Speed]) -> Int {
        func distance(_ other: Speed) -> Int {
            let (ratio, own) = (other.ratio, ratio)
            return abs(ratio.steps * own.sixteenths - own.steps * ratio.sixteenths) * 12 / ratio.sixteenths
        }
        return choices.indices.min { distance(choices[$0]) < distance(choices[$1]) } ?? 0
    }

    /// Steps, and the sixteenths that they last.
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

/// The loop of a track, whose slot may have a length and a speed of its own.
///
/// Like ``Loop``, it has no state: a track's position follows from the song's. Its steps are counted from the song's
/// start, whatever the length.
public struct TrackTime: Hashable, Sendable, BitwiseCopyable {
    /// Steps from one beginning to the next, 1 or more.
    public let length: Int
    /// A step of the song with which the slot begins.
    private let origin: Int64
    /// The count of the slot's step 0 that starts there.
    private let originCount: Int64
    /// Steps of the track in the time of `denominator` sixteenths.
    public let numerator: Int64
    /// Sixteenths in the time of `numerator` steps of the track.
    public let denominator: Int64

    /// The time of a slot: with a length of its own it begins with the song, otherwise with the whole's loop.
    @_noLocks @_noAllocation
    public init(length: Int? = nil, speed: Speed = .normal, whole: Loop) {
        self.length = length ?? whole.length
        origin = length == nil ? whole.origin : 0
        let (steps, sixteenths) = speed.ratio
        (numerator, denominator) = (Int64(steps), Int64(sixteenths))
        originCount = quotient(origin * numerator, denominator)
    }

    /// The last of the track's steps that has started when a step of the song starts; negative before the song.
    @_noLocks @_noAllocation
    public func count(at songStep: Int64) -> Int64 {
        originCount + quotient((songStep - origin) * numerator, denominator)
    }

    /// The count in progress at a place in the song; its fraction is the part that has passed.
    @_noLocks @_noAllocation
    public func count(at place: SongPlace) -> Double {
        Double(originCount) + (Double(place.songStep - origin) + place.part) / sixteenths
    }

    /// The step of the slot that a count plays, from 0.
    @_noLocks @_noAllocation
    public func step(of count: Int64) -> Int {
        Int(count - originCount - pass(of: count) * Int64(length))
    }

    /// The slot's pass, from 0, that a count belongs to; negative before its origin.
    @_noLocks @_noAllocation
    public func pass(of count: Int64) -> Int64 { quotient(count - originCount, Int64(length)) }

    /// The count with which a pass begins.
    @_noLocks @_noAllocation
    public func start(ofPass pass: Int64) -> Int64 { originCount + pass * Int64(length) }

    /// The step of the song in which a track's step starts, and the part of it that has passed by then.
    @_noLocks @_noAllocation
    public func place(of count: Int64) -> SongPlace { place(of: count, moved: 0, of: 1) }

    /// The place that is `parts` of `whole` parts of a step after the start of a count; before it if `parts` is negative.
    /// Equal fractions give equal places.
    @_noLocks @_noAllocation
    public func place(of count: Int64, moved parts: Int64, of whole: Int64) -> SongPlace {
        let sixteenths = ((count - originCount) * whole + parts) * denominator
        let divisor = numerator * whole
        let songSteps = quotient(sixteenths, divisor)
        return SongPlace(
            songStep: origin + songSteps, part: Double(sixteenths - songSteps * divisor) / Double(divisor))
    }

    /// How many sixteenths a step lasts.
    public var sixteenths: Double { @_noLocks @_noAllocation get { Double(denominator) / Double(numerator) } }

    /// Whether each count starts at the same place as in another time.
    @_noLocks @_noAllocation
    public func hasSteps(of other: TrackTime) -> Bool {
        guard numerator == other.numerator && denominator == other.denominator else { return false }
        return (originCount - other.originCount) * denominator == (origin - other.origin) * numerator
    }
}

/// A place in the song: a step, and the part of it that has passed, 0 to less than 1.
public struct SongPlace: Hashable, Sendable, BitwiseCopyable {
    /// A sixteenth of the song.
    public var songStep: Int64
    /// The part of it that has passed; swing changes the length of steps, but not their parts.
    public var part: Double

    @_noLocks @_noAllocation
    public init(songStep: Int64, part: Double = 0) {
        (self.songStep, self.part) = (songStep, part)
    }

    /// Whether it lies before another place.
    @_noLocks @_noAllocation
    public func precedes(_ other: SongPlace) -> Bool {
        songStep < other.songStep || songStep == other.songStep && part < other.part
    }
}
