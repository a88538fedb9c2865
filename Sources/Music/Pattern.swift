/// What a pattern file holds: the cells and how they are to be played.
public struct Pattern: Equatable, Sendable {
    /// Unicode scalars in a name, at most: each step of the undo history may hold one.
    public static let longestName = 256

    /// The name that the performer gave it, at most ``longestName`` long; empty for none.
    public var name = ""
    /// All cells of the slots that play, those of hidden steps included.
    public var cells = Cells()
    /// Which slot of each track plays.
    public package(set) var playing = PlayingSlots()
    /// The notes of the slots that do not play, the empty ones left out.
    public package(set) var resting: [Slot: TrackCells] = [:]
    /// The parameters that belong to the pattern: how it is to be played. Those of the instrument are not used.
    public var parameters = ParameterValues()
    /// Seconds since 1970-01-01 UTC at which the pattern was made, nil when not known.
    public var created: Int?
    /// Seconds since 1970-01-01 UTC at which the pattern was last saved or exported, nil when not known.
    public var modified: Int?

    /// An empty pattern: C major, 120 BPM, 32 steps, straight.
    public init() {}

    /// The cells that sound and are shown: without sustain cells whose head is hidden or gone.
    public var soundingCells: Cells { cells.removingHeadless(length: length) }
}
