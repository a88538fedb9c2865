import Grid
import Music

/// A finger on a track of which a parameter's motion is shown: a tap sets or removes the step's point, a drag draws
/// points, and a hold removes all.
struct MotionContact: Contact {
    private var finger: LensFinger
    private let parameter: Parameter
    private let step: Int
    /// The rows, 0 below, under the finger on the steps that it touched: the last of each.
    private var rows: [Int: Int] = [:]
    /// Where the finger was reported last.
    private var last: Place
    private(set) var preview: [PreviewCell] = []

    init(_ finger: LensFinger, of parameter: Parameter, step: Int, in turn: Turn) {
        self.finger = finger
        self.parameter = parameter
        self.step = step
        last = finger.tracker.place
        rows[step] = row(at: last.row)
        _ = judgeAnew(in: turn)
    }

    var wait: Wait? { finger.wait }
    var drag: DragID? { finger.drag }

    mutating func expire(in turn: inout Turn) {
        finger.tracker.expire()
        finger.expire(showing: "CLEARED!", in: &turn)
        _ = judgeAnew(in: turn)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        finger.tracker.move(to: place, at: turn.now)
        cross(to: place, in: turn)
        _ = judgeAnew(in: turn)
        finger.showDrag(parameter.title(of: value(ofRow: row(at: place.row))), in: &turn)
    }

    mutating func lift(in turn: inout Turn) {
        var notes = turn.document.pattern[slot]
        notes.motions = drawn(onto: notes.motions)
        let value = notes.motions[parameter, step]
        finger.write(notes, showing: value.map(parameter.title) ?? finger.lens.title, in: &turn)
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        guard step < turn.length(of: slot) else { return false }
        rows = rows.filter { $0.key < turn.length(of: slot) }
        let isShown = finger.isShown(in: turn) && !clears
        preview = isShown ? rows.sorted { $0.key < $1.key }.map(finger.cell) : []
        return true
    }

    private var slot: Slot { finger.slot }
    private var rowCount: Int { finger.rowCount }
    private var clears: Bool { finger.tracker.isTap && finger.tracker.isHeld }

    /// The motions with the finger's change.
    private func drawn(onto motions: Motions) -> Motions {
        var motions = motions
        if clears {
            motions.clear(parameter)
        } else if finger.tracker.isTap, let value = motions[parameter, step],
            parameter.motionRow(of: value, of: rowCount) == row(at: finger.tracker.start.row)
        {
            motions[parameter, step] = nil
        } else {
            for (step, row) in rows { motions[parameter, step] = value(ofRow: row) }
        }
        return motions
    }

    /// Writes the row under the finger on each step on its straight way to a place.
    private mutating func cross(to place: Place, in turn: Turn) {
        let (from, columns) = (last, abs(place.column - last.column))
        last = place
        guard !finger.tracker.isTap else { return }
        for way in min(1, columns)...max(columns, 0) {
            let share = columns == 0 ? 1 : Double(way) / Double(columns)
            let column = from.column + (place.column < from.column ? -way : way)
            guard let step = Layout.step(atColumn: column), step < turn.length(of: slot) else { continue }
            rows[step] = row(at: from.row + Int((share * Double(place.row - from.row)).rounded()))
        }
    }

    private func row(at row: Int) -> Int {
        min(max(Layout.rows(of: slot.track).upperBound - row, 0), rowCount - 1)
    }

    private func value(ofRow row: Int) -> Double { parameter.motionValue(atRow: row, of: rowCount) }
}
