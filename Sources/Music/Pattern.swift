/// What a pattern file holds: the cells and how they are to be played.
public struct Pattern: Equatable, Sendable {
    /// Unicode scalars in a name, at most: each step of the undo history may hold one.
    public static let longestName = 256

    /// The name that the performer gave it, at most ``longestName`` long; empty for none.
    public var name = ""
    /// All cells, those of hidden steps included.
    public var cells = Cells()
    /// Steps that are played and shown, 8 to 32.
    public var length = Cells.stepCount
    /// Speed of the step clock.
    public var tempo = Tempo(clamping: 120)
    /// Where an odd step lies between its even neighbours: 0.5 (straight) to 0.75.
    public var swing = 0.5
    /// Root and scale.
    public var key = Key()
    /// Seconds since 1970-01-01 UTC at which the pattern was made, nil when not known.
    public var created: Int?
    /// Seconds since 1970-01-01 UTC at which the pattern was last saved or exported, nil when not known.
    public var modified: Int?

    /// Lengths that a pattern may have.
    public static let lengths = 8...Cells.stepCount
    /// Swings that a pattern may have.
    public static let swings = 0.5...0.75

    /// An empty pattern: C major, 120 BPM, 32 steps, straight.
    public init() {}

    /// The cells that sound and are shown: without sustain cells whose head is hidden or gone.
    public var soundingCells: Cells { cells.removingHeadless(length: length) }
}
