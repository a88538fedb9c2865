/// All cells of a pattern: four tracks of twelve notes on 32 steps, always complete whatever the length.
///
/// An array, which copies share: reading a step of an inline array copies all of it first, through a span too.
public struct Cells: Equatable, Sendable {
    /// Steps that a pattern has room for; one step is a sixteenth note.
    public static let stepCount = 32

    /// Track by track.
    private(set) var steps: [StepNotes]

    private static let off = [StepNotes](repeating: StepNotes(), count: Track.allCases.count * stepCount)

    /// Cells that are all off.
    public init() {
        steps = Cells.off
    }

    /// The cells of a track on a step, 0 to 31.
    public subscript(track: Track, step: Int) -> StepNotes {
        get { steps[Self.index(track, step)] }
        set { steps[Self.index(track, step)] = newValue }
    }

    /// The cell of a note, 0 to 11, on a step, 0 to 31.
    public subscript(track: Track, note: Int, step: Int) -> Velocity {
        get { self[track, step][note] }
        set { self[track, step][note] = newValue }
    }

    /// How many cells are not off.
    public var count: Int { steps.reduce(0) { $0 + $1.notes.count } }

    /// Whether all cells are off.
    public var isEmpty: Bool { steps.allSatisfy(\.isEmpty) }

    /// Whether all cells of a track are off.
    public func isEmpty(_ track: Track) -> Bool {
        (0..<Cells.stepCount).allSatisfy { self[track, $0].isEmpty }
    }

    private static func index(_ track: Track, _ step: Int) -> Int {
        precondition((0..<stepCount).contains(step), "step \(step) outside 0...31")
        return track.rawValue * stepCount + step
    }
}
