/// All cells of a pattern: four tracks of twelve notes on 32 steps, 512 bytes, always complete whatever the length.
public struct Cells: Sendable {
    /// Steps that a pattern has room for; one step is a sixteenth note.
    public static let stepCount = 32

    private var steps: InlineArray<128, StepNotes>

    /// Cells that are all off.
    public init() {
        steps = InlineArray(repeating: StepNotes())
    }

    /// The cells of a track on a step, 0 to 31.
    public subscript(track: Track, step: Int) -> StepNotes {
        // Through spans, because subscripting the array itself first copies all of it.
        get { steps.span[Self.index(track, step)] }
        set {
            var span = steps.mutableSpan
            span[Self.index(track, step)] = newValue
        }
    }

    /// The cell of a note, 0 to 11, on a step, 0 to 31.
    public subscript(track: Track, note: Int, step: Int) -> Velocity {
        get { steps.span[Self.index(track, step)][note] }
        set { self[track, step][note] = newValue }
    }

    /// How many cells are not off.
    public var count: Int {
        let steps = steps.span
        var count = 0
        for index in steps.indices { count += steps[index].notes.count }
        return count
    }

    /// Whether all cells are off.
    public var isEmpty: Bool { count == 0 }

    /// Whether all cells of a track are off.
    public func isEmpty(_ track: Track) -> Bool {
        let steps = steps.span
        for index in Self.index(track, 0)...Self.index(track, Self.stepCount - 1) where !steps[index].isEmpty {
            return false
        }
        return true
    }

    private static func index(_ track: Track, _ step: Int) -> Int {
        precondition((0..<stepCount).contains(step), "step \(step) outside 0...31")
        return track.rawValue * stepCount + step
    }
}

extension Cells: Equatable {
    /// Whether every cell is the same.
    public static func == (left: Cells, right: Cells) -> Bool {
        let left = left.steps.span
        let right = right.steps.span
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
