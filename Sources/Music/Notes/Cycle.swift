/// In which passes of its loop a note plays, by its number: that of a name in the list.
public enum Cycle {
    /// `always`, `A:B` for pass A of every B up to 8, `first` and `not first`.
    public static let names =
        ["always"] + (2...longest).flatMap { count in (1...count).map { "\($0):\(count)" } } + ["first", "not first"]

    private static var longest: Int { @_noLocks @_noAllocation get { 8 } }
    /// The number of `first`, which follows the 35 pairs.
    private static var first: Int { @_noLocks @_noAllocation get { 36 } }

    /// The last one's number.
    static var last: Int { @_noLocks @_noAllocation get { first + 1 } }

    /// Whether a note plays in a pass, which may be negative, of a slot that began to play in another one.
    @_noLocks @_noAllocation
    static func plays(_ number: Int, in pass: Int64, first firstPass: Int64) -> Bool {
        if number == 0 { return true }
        if number >= first { return (pass == firstPass) == (number == first) }
        var (place, count) = (number &- 1, 2)
        while place >= count {
            place &-= count
            count &+= 1
        }
        let rest = Int(truncatingIfNeeded: pass % Int64(truncatingIfNeeded: count))
        return (rest < 0 ? rest &+ count : rest) == place
    }
}
