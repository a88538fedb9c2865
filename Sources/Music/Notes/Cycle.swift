/// In which passes of its loop a note plays, by its number: that of a name in the list.
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

    /// The last one's number.
    static var last: Int { @_noLocks @_noAllocation get { fill + 1 } }

    /// The numbers of those that fingers choose from: `always`, all of up to four passes, and the four words.
    static let choices = Array(0...9) + Array(first...last)

    /// A / B of A:B, nil for the others.
    static func share(_ number: Int) -> Double? {
        let parts = names[number].split(separator: ":").compactMap { Double($0) }
        return parts.count == 2 ? parts[0] / parts[1] : nil
    }

    /// Whether a note plays when a step's turn comes, whose pass may be negative.
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
