import JSON
import Music

extension Kind where Value: Named {
    /// One of an enumeration's values, by the name that files and the control socket know.
    public static var name: Kind { one(of: Array(Value.allCases)) { $0.name } }
}

extension Kind<Int> {
    /// A step, hidden or not.
    public static let step = Kind.integer(in: 0...SlotNotes.stepCount - 1)
}
