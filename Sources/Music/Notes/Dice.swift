/// What decides whether a note plays whose chance is less than 100 %: a function of where it stands in the song, and not a
/// memory, so that what is exported is what was heard.
///
/// SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
public struct Dice: Hashable, Sendable, BitwiseCopyable {
    /// Seeds that a double holds exactly.
    public static let seeds = 0...(1 << 53) - 1

    private let seed: UInt64

    /// The dice of a seed.
    @_noLocks @_noAllocation
    public init(seed: Double) { self.seed = UInt64(seed) }

    /// The number, 0 to less than 1, that a note gets; all notes of a pitched track's step get the same.
    ///
    /// - Parameters:
    ///   - count: Steps of the track since the song's start.
    ///   - track: In the order of ``Track``.
    @_noLocks @_noAllocation
    public func number(count: Int64, track: Int, note: Int) -> Double {
        let key = UInt64(truncatingIfNeeded: 16 &* track &+ (track == 3 ? 1 &+ note : 0))
        let place = UInt64(bitPattern: count) &* Dice.stride ^ key &* 0xbf58_476d_1ce4_e5b9
        return Double(Dice.mixed(seed ^ place) &>> 40) / 16_777_216
    }

    /// The seed after this one.
    public var nextSeed: Int { Int(Dice.mixed(seed &+ Dice.stride) >> 11) }

    private static var stride: UInt64 { @_noLocks @_noAllocation get { 0x9e37_79b9_7f4a_7c15 } }

    @_noLocks @_noAllocation
    static func mixed(_ z: UInt64) -> UInt64 {
        let first = (z ^ z &>> 30) &* 0xbf58_476d_1ce4_e5b9
        let second = (first ^ first &>> 27) &* 0x94d0_49bb_1331_11eb
        return second ^ second &>> 31
    }
}

extension Document {
    /// What decides by chance.
    public var dice: Dice { pattern.dice }
}

extension Pattern {
    /// What decides by chance.
    public var dice: Dice { Dice(seed: parameters.number(.diceSeed)) }
}
