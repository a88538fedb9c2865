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
    /// Mutes, solo, gains and pans.
    public var mix = Mix()
    /// How pitch classes are coloured.
    public var colorMode = ColorMode.chromatic
    /// Whether a track shows where the others have notes.
    public var showsGhosts = true

    /// An empty pattern with default settings and no history.
    public init() {}

    /// A document as it was stored.
    package init(pattern: Pattern, history: History, mix: Mix, colorMode: ColorMode, showsGhosts: Bool) {
        self.pattern = pattern
        self.history = history
        self.mix = mix
        self.colorMode = colorMode
        self.showsGhosts = showsGhosts
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
        history.record(.init(before: Snapshot(cells: pattern.cells), after: Snapshot(cells: settled)))
        pattern.cells = settled
        return true
    }

    /// Writes cells as part of the newest undo step, which must be an edit of notes that nothing followed.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func amendNewestEdit(_ cells: Cells) -> Bool {
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
                before: Snapshot(cells: pattern.cells, settings: pattern),
                after: Snapshot(cells: new.cells, settings: new)))
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

    private mutating func restore(_ snapshot: Snapshot?) -> Bool {
        guard let snapshot else { return false }
        if let settings = snapshot.settings { pattern = settings }
        pattern.cells = snapshot.cells
        return true
    }

    // MARK: Settings: not in the history

    /// Sets the tempo.
    public mutating func setTempo(_ tempo: Tempo) { pattern.tempo = tempo }

    /// Sets the swing, clamped into 0.5 to 0.75.
    public mutating func setSwing(_ swing: Double) {
        pattern.swing = swing.clamped(to: Pattern.swings)
    }

    /// Sets the scale; notes that are no longer in it stay.
    public mutating func setScale(_ scale: Scale) { pattern.key.scale = scale }

    /// Sets the root; notes that are no longer in the scale stay.
    public mutating func setRoot(_ root: PitchClass) { pattern.key.root = root }

    /// Sets the length, clamped into 8 to 32; no cell is altered.
    public mutating func setLength(_ length: Int) {
        pattern.length = min(max(length, Pattern.lengths.lowerBound), Pattern.lengths.upperBound)
    }

    /// Names the pattern.
    public mutating func setName(_ name: String) { pattern.name = name }
}
