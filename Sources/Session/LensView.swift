import Music

/// What the tracks are looked at through, and whether FILL is held: state of the instrument that no file keeps.
final class LensView {
    /// The open lenses.
    private(set) var lenses = OpenLenses()
    /// Whether somebody holds FILL.
    private(set) var isFilling = false
    private var isFillingForProgram = false
    private let outbox: Outbox

    init(_ outbox: Outbox) {
        self.outbox = outbox
    }

    /// Looks at a track through a lens, or with nil no longer.
    ///
    /// - Returns: Whether that is another one.
    func look(at track: Track, through lens: Lens?) -> Bool {
        guard lenses[track] != lens else { return false }
        lenses[track] = lens
        outbox.stateChanged()
        return true
    }

    /// A program holds FILL, or no longer; fingers may hold it all the same.
    func fill(_ isOn: Bool) { isFillingForProgram = isOn }

    /// Takes whether a finger holds FILL.
    ///
    /// - Returns: Whether somebody does now where nobody did, or nobody where somebody did.
    func settleFill(heldByFinger isHeld: Bool) -> Bool {
        guard isFilling != (isHeld || isFillingForProgram) else { return false }
        isFilling.toggle()
        outbox.stateChanged()
        return true
    }
}

extension Session {
    /// The lens that each track is looked at through.
    public var lenses: OpenLenses { lensView.lenses }
    /// Whether somebody holds FILL.
    public var isFilling: Bool { lensView.isFilling }

    /// What is left of what a track plays when what its last whole pass decided is made to stay.
    func freezing(_ track: Track) -> DocumentChange {
        let pattern = document.pattern
        let passage = transportView.passage?.lastWhole(of: track, in: pattern)
        let (time, pass, first) = passage ?? (pattern[track].time(in: Loop(length: pattern.length)), 0, 0)
        let notes = pattern[track].frozen(on: track, in: time, pass: pass, firstPass: first, by: pattern.dice)
        return .edit([pattern.playing[track]: notes])
    }

    /// Gives what a track plays a lens's default.
    func resetting(_ track: Track, _ lens: Lens) -> DocumentChange {
        .edit([document.pattern.playing[track]: document.pattern[track].resetting(lens)])
    }
}
