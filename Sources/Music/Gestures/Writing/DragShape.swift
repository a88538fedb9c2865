import Grid
import Music

/// A drag, reduced to what determines its notes.
struct DragShape: Sendable {
    let track: Track
    let key: Key
    let heading: Heading
    /// Whether the finger rested before it moved.
    let isHeld: Bool
    /// The steps touched, each once, in the order of touching; the start step first.
    let steps: [Int]
    /// The step under the finger, or the visible one nearest to it.
    let fingerStep: Int
    let startRow: Int
    /// The row under the finger, or the track's row nearest to it.
    let fingerRow: Int
    /// The note of the row where the drag began.
    let startNote: Int
    /// The note of the finger's row.
    let fingerNote: Int
    /// Whether the finger itself, wherever it is, is left of the start.
    let isLeftOfStart: Bool
    /// Whether the finger itself, wherever it is, is below the start.
    let isBelowStart: Bool

    /// A drag that began on a visible step of a track.
    ///
    /// - Parameter length: Steps of the pattern, 8 to 32.
    init(_ drag: Drag, of finger: TouchTracker, on track: Track, in key: Key, length: Int) {
        self.track = track
        self.key = key
        heading = drag.heading
        isHeld = finger.isHeld
        let rows = Layout.rows(of: track)
        startRow = finger.start.row
        fingerRow = min(max(finger.place.row, rows.lowerBound), rows.upperBound)
        startNote = key.note(of: track, row: startRow)
        fingerNote = key.note(of: track, row: fingerRow)
        isLeftOfStart = finger.place.x < finger.start.x
        isBelowStart = finger.place.y > finger.start.y

        steps = DragShape.steps(at: drag.columns, length: length)
        fingerStep = DragShape.step(at: finger.place.column, length: length)
    }

    /// The velocity of the start step's notes; those of later steps are normal.
    var velocity: Velocity { isHeld ? .accent : .normal }

    /// One note on each touched step, by its place in the order of touching.
    func line(_ note: (_ index: Int) -> Int) -> Writing {
        Writing(
            track,
            replacing: steps.enumerated().map { index, step in
                .init(step: step, notes: StepNotes([note(index)], index == 0 ? velocity : .normal))
            })
    }

    /// Notes on the start step alone.
    func stack(_ notes: StepNotes) -> Writing {
        Writing(track, replacing: [.init(step: steps[0], notes: notes)])
    }

    /// The visible step at a column, or the one nearest to it.
    static func step(at column: Int, length: Int) -> Int {
        let step = Layout.step(atColumn: column) ?? (column < Layout.firstStepColumn ? 0 : SlotNotes.stepCount - 1)
        return min(step, length - 1)
    }

    /// The visible steps at columns, or nearest to them, each once.
    static func steps(at columns: [Int], length: Int) -> [Int] {
        var steps: [Int] = []
        for step in columns.map({ step(at: $0, length: length) }) where !steps.contains(step) {
            steps.append(step)
        }
        return steps
    }
}
