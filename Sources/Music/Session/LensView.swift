import Music

/// The open lenses, and whether FILL is held: state of the instrument that is not stored.
final class LensView {
    private(set) var lenses = OpenLenses()
    /// Whether FILL is held.
    private(set) var isFilling = false
    private var isFillingForProgram = false
    private let outbox: Outbox

    init(_ outbox: Outbox) {
        self.outbox = outbox
    }

    /// Opens a lens on a track, or with nil closes it.
    ///
    /// - Returns: Whether that changed anything.
    func look(at track: Track, through lens: Lens?) -> Bool {
        guard lenses[track] != lens else { return false }
        lenses[track] = lens
        outbox.stateChanged()
        return true
    }

    /// Holds or releases FILL for programs, independently of fingers.
    func fill(_ isOn: Bool) { isFillingForProgram = isOn }

    /// Updates whether a finger holds FILL.
    ///
    /// - Returns: Whether ``isFilling`` changed.
    func settleFill(heldByFinger isHeld: Bool) -> Bool {
        guard isFilling != (isHeld || isFillingForProgram) else { return false }
        isFilling.toggle()
        outbox.stateChanged()
        return true
    }
}

extension Session {
    public var lenses: OpenLenses { lensView.lenses }
    /// Whether FILL is held.
    public var isFilling: Bool { lensView.isFilling }

    /// The change that freezes the decisions of a track's last whole pass.
    func freezing(_ track: Track) -> DocumentChange {
        let pattern = document.pattern
        let (time, pass, first) = transportView.reached.lastWhole(of: track, in: pattern)
        let notes = pattern[track].frozen(on: track, in: time, pass: pass, firstPass: first, by: pattern.dice)
        return .edit([pattern.playing[track]: notes])
    }

    /// The change that resets what a track plays to a lens's default.
    func resetting(_ track: Track, _ lens: Lens) -> DocumentChange {
        .edit([document.pattern.playing[track]: document.pattern[track].resetting(lens)])
    }
}
