/// Random numbers for chances, drift and oscillators: functions of a seed and a place in the song, without state, so that
/// exports sound as what was heard.
///
/// SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
public struct Dice: Hashable, Sendable, BitwiseCopyable {
    /// Seeds that a double holds exactly.
    public static let seeds = 0...(1 << 53) - 1

    private let seed: UInt64

    @_noLocks @_noAllocation
    public init(seed: Double) { self.seed = UInt64(seed) }

    /// The number, 0 to less than 1, that a note gets; all notes of a pitched track's step get the same.
    ///
    /// - Parameters:
    ///   - count: Steps of the track since the song's start.
    ///   - track: In the order of ``Track``.
    @_noLocks @_noAllocation
    public func number(count: Int64, track: Int, note: Int) -> Double {
        Dice.number(Dice.mixed(state(count: count, key: 16 &* track &+ (track == 3 ? 1 &+ note : 0))))
    }

    /// The number, 0 to less than 1, with which a cycle of a track's oscillator begins.
    @_noLocks @_noAllocation
    public func number(cycle: Int64, ofOscillatorOn track: Int) -> Double {
        Dice.number(Dice.mixed(state(count: cycle, key: 128 &+ track)))
    }

    /// What makes one start of a note, 0 to 11, unlike the others.
    ///
    /// - Parameters:
    ///   - count: Steps of the track since the song's start.
    ///   - track: In the order of ``Track``.
    ///   - ratchet: Which of the note's starts it is, from 0.
    @_noLocks @_noAllocation
    public func draws(count: Int64, track: Int, note: Int, ratchet: Int) -> DiceDraws {
        let state = state(count: count, key: 4096 &+ 64 &* track &+ note)
        return DiceDraws(state: state &+ UInt64(truncatingIfNeeded: ratchet) &* 0x94d0_49bb_1331_11eb)
    }

    @_noLocks @_noAllocation
    private func state(count: Int64, key: Int) -> UInt64 {
        let key = UInt64(truncatingIfNeeded: key) &* 0xbf58_476d_1ce4_e5b9
        return seed ^ UInt64(bitPattern: count) &* Dice.stride ^ key
    }

    /// A mixed state as a number, 0 to less than 1.
    @_noLocks @_noAllocation
    static func number(_ mixed: UInt64) -> Double { Double(mixed &>> 40) / 16_777_216 }

    /// The seed after this one.
    public var nextSeed: Int { Int(Dice.mixed(seed &+ Dice.stride) >> 11) }

    static var stride: UInt64 { @_noLocks @_noAllocation get { 0x9e37_79b9_7f4a_7c15 } }

    @_noLocks @_noAllocation
    static func mixed(_ z: UInt64) -> UInt64 {
        let first = (z ^ z &>> 30) &* 0xbf58_476d_1ce4_e5b9
        let second = (first ^ first &>> 27) &* 0x94d0_49bb_1331_11eb
        return second ^ second &>> 31
    }
}

/// Numbers drawn one after the other, each a function of the first state: SplitMix64.
public struct DiceDraws: Hashable, Sendable, BitwiseCopyable {
    private var state: UInt64

    /// Draws from a state.
    @_noLocks @_noAllocation
    public init(state: UInt64) { self.state = state }

    /// The next output.
    @_noLocks @_noAllocation
    public mutating func next() -> UInt64 {
        state &+= Dice.stride
        return Dice.mixed(state)
    }

    /// The next number, 0 to less than 1.
    @_noLocks @_noAllocation
    public mutating func number() -> Double { Dice.number(next()) }
}

extension Document {
    /// The dice that decide which notes play.
    public var dice: Dice { pattern.dice }
}

extension Pattern {
    /// The dice that decide which notes play.
    public var dice: Dice { Dice(seed: parameters.number(.diceSeed)) }
}

/// A step of a track in a pass of its loop, which decides which of its notes play.
public struct StepTurn: Hashable, Sendable, BitwiseCopyable {
    /// In the order of ``Track``.
    public var track: Int
    /// Steps of the track since the song's start.
    public var count: Int64
    /// Which time around the loop it is.
    public var pass: Int64
    /// The pass in which the slot began to play.
    public var firstPass: Int64
    /// Whether FILL is held.
    public var isFilling: Bool

    /// A step's turn.
    @_noLocks @_noAllocation
    public init(track: Int, count: Int64, pass: Int64, firstPass: Int64, isFilling: Bool = false) {
        (self.track, self.count, self.pass, self.firstPass) = (track, count, pass, firstPass)
        self.isFilling = isFilling
    }
}

extension Note {
    /// Whether the note, 0 to 11, that starts on a step plays this time.
    @_noLocks @_noAllocation
    public func plays(_ number: Int, at turn: StepTurn, by dice: Dice) -> Bool {
        guard Cycle.plays(self[.cycle], at: turn) else { return false }
        let chance = self[.chance]
        return chance == 100 || dice.number(count: turn.count, track: turn.track, note: number) < Double(chance) / 100
    }
}

/// The passes of its loop in which a note plays, as an index into the list of names.
public enum Cycle {
    /// `always`, `A:B` for pass A of every B up to 8, `first`, `not first`, `fill` and `not fill`.
    public static let names =
        ["always"] + (2...longest).flatMap { count in (1...count).map { "\($0):\(count)" } }
        + ["first", "not first", "fill", "not fill"]

    private static var longest: Int { @_noLocks @_noAllocation get { 8 } }
    /// The number of `first`, which follows the 35 pairs.
    private static var first: Int { @_noLocks @_noAllocation get { 36 } }
    /// The number of `fill`, which follows `not first`.
    private static var fill: Int { @_noLocks @_noAllocation get { first + 2 } }

    /// The number of the last cycle.
    static var last: Int { @_noLocks @_noAllocation get { fill + 1 } }

    /// The choices for fingers: `always`, all pairs of up to four passes, and the last four.
    static let choices = Array(0...9) + Array(first...last)

    /// A cycle in at most two characters: `12` for 1:2.
    @Sendable static func label(of number: Int) -> String {
        switch names[number] {
        case "first": "1F"
        case "not first": "N1"
        case "fill": "F"
        case "not fill": "NF"
        case let name: name.filter { $0 != ":" }
        }
    }

    /// A / B of A:B, nil for the others.
    static func share(_ number: Int) -> Double? {
        let parts = names[number].split(separator: ":").compactMap { Double($0) }
        return parts.count == 2 ? parts[0] / parts[1] : nil
    }

    /// Whether a note plays in a pass, which may be negative.
    @_noLocks @_noAllocation
    static func plays(_ number: Int, at turn: StepTurn) -> Bool {
        if number == 0 { return true }
        if number >= fill { return turn.isFilling == (number == fill) }
        if number >= first { return (turn.pass == turn.firstPass) == (number == first) }
        var (place, count) = (number &- 1, 2)
        while place >= count {
            place &-= count
            count &+= 1
        }
        let rest = Int(truncatingIfNeeded: turn.pass % Int64(truncatingIfNeeded: count))
        return (rest < 0 ? rest &+ count : rest) == place
    }
}
