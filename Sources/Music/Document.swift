/// How the grid colours pitch classes.
public enum ColorMode: Int, Named {
    case chromatic
    case harmonic

    /// The name in files and on the control socket.
    public var name: String { self == .chromatic ? "chromatic" : "harmonic" }
}

/// Everything that a performer can change and that outlives the daemon: pattern, history, mixer and view settings.
///
/// A plain value; every change of notes goes through it, so that the history always fits the cells.
public struct Document: Equatable, Sendable {
    /// The pattern being played and edited.
    public private(set) var pattern = Pattern()
    /// Undo and redo.
    public private(set) var history = History()
    /// The parameters that belong to the instrument, whatever the pattern; those of the pattern are in it.
    package private(set) var parameters = ParameterValues()
    /// What keys and controllers of the MIDI input move.
    public internal(set) var bindings = MidiBindings()

    /// An empty pattern with default settings and no history.
    public init() {}

    /// A document as it was stored.
    package init(
        pattern: Pattern, history: History, parameters: ParameterValues, bindings: MidiBindings = MidiBindings()
    ) {
        self.pattern = pattern
        self.history = history
        self.parameters = parameters
        self.bindings = bindings
    }

    /// A document that starts with the given pattern and no history.
    public init(pattern: Pattern) {
        self.pattern = pattern
        self.pattern.cells = pattern.soundingCells
    }

    // MARK: Edits of notes: one undo step each

    /// What the cells become when they are written: without headless sustain cells.
    public func settled(_ cells: Cells) -> Cells {
        cells.removingHeadless(length: pattern.length)
    }

    /// Writes cells as one undo step.
    ///
    /// - Returns: Whether anything changed; if not, there is no undo step and the redo side stays.
    @discardableResult
    public mutating func edit(_ cells: Cells) -> Bool {
        let settled = settled(cells)
        // Headless cells are not seen and not heard: that they would go is no change by itself.
        guard settled != pattern.soundingCells else { return false }
        history.record(.init(before: side(pattern.cells), after: side(settled)))
        pattern.cells = settled
        return true
    }

    /// One side of an edit of what plays.
    private func side(_ cells: Cells) -> Snapshot { Snapshot(cells: cells, slots: pattern.playing) }

    /// Writes the notes of slots, at most one of each track, as one undo step.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func edit(_ slots: [Slot: TrackCells]) -> Bool {
        var before = side(pattern.cells)
        var after = before
        var isDifferent = false
        for (slot, notes) in slots {
            let (track, settled) = (slot.track, notes.removingHeadless(length: pattern.length))
            before.slots[track] = slot.index
            before.cells[track] = pattern[slot]
            after.slots[track] = slot.index
            after.cells[track] = settled
            if settled != pattern[slot].removingHeadless(length: pattern.length) { isDifferent = true }
        }
        guard isDifferent else { return false }
        history.record(.init(before: before, after: after))
        write(.init(from: before, to: after))
        return true
    }

    /// Writes cells as part of the newest undo step, which must be an edit of notes that nothing followed. Once other
    /// slots play they are a step of their own.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func amendNewestEdit(_ cells: Cells) -> Bool {
        guard history.undoable.last?.after.slots == pattern.playing else { return edit(cells) }
        let settled = settled(cells)
        guard settled != pattern.cells else { return false }
        history.amendNewest(after: settled)
        pattern.cells = settled
        return true
    }

    /// Replaces pattern, tempo, swing, key, length and name as one undo step: an import or a load.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func replacePattern(_ new: Pattern) -> Bool {
        var new = new
        new.cells = new.soundingCells
        var current = pattern
        current.cells = pattern.soundingCells
        guard new != current else { return false }
        history.record(
            .init(
                before: Snapshot(cells: pattern.cells, slots: pattern.playing, settings: pattern),
                after: Snapshot(cells: new.cells, slots: new.playing, settings: new)))
        pattern = new
        return true
    }

    /// Goes one step back; false when there is none.
    @discardableResult
    public mutating func undo() -> Bool { restore(history.undo()) }

    /// Goes one undone step forward; false when there is none.
    @discardableResult
    public mutating func redo() -> Bool { restore(history.redo()) }

    /// Takes the newest edit back as if it had never been made, the redo side that it dropped included; false when
    /// something other than that edit came last.
    @discardableResult
    public mutating func retractNewestEdit() -> Bool { restore(history.retractNewest()) }

    private mutating func restore(_ transition: History.Transition?) -> Bool {
        guard let transition else { return false }
        if let settings = transition.to.settings {
            pattern = settings
            pattern.cells = transition.to.cells
        } else {
            write(transition)
        }
        return true
    }

    /// Writes the tracks in which the sides of an edit differ into the slots that they were in, playing or not.
    private mutating func write(_ transition: History.Transition) {
        for track in Track.allCases {
            let notes = transition.to.cells[track]
            guard notes != transition.from.cells[track] else { continue }
            pattern[Slot(track, transition.to.slots[track])] = notes
        }
    }

    // MARK: Slots: what plays is not in the history

    /// Plays slots in place of those that their tracks play.
    ///
    /// - Returns: Whether anything else plays now.
    @discardableResult
    public mutating func launch(_ slots: [Slot]) -> Bool {
        slots.reduce(false) { pattern.launch($1) || $0 }
    }

    // MARK: Settings: not in the history

    /// Sets a parameter of a track, or of the whole, to the nearest value that it may have; no cell is altered. Nothing
    /// happens when it has no value on the track, or none of that kind.
    ///
    /// - Returns: Whether anything is different now.
    @discardableResult
    public mutating func set(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Bool {
        parameter.isOfPattern
            ? pattern.parameters.set(parameter, on: track, to: value) : parameters.set(parameter, on: track, to: value)
    }

    /// Names the pattern.
    ///
    /// - Returns: Whether that is another name.
    @discardableResult
    public mutating func setName(_ name: String) -> Bool {
        defer { pattern.name = name }
        return name != pattern.name
    }
}
