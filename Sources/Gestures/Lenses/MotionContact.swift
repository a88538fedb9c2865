import Grid
import Music

/// A finger on a track of which a parameter's motion is shown: a tap sets the step's point, or takes it, a drag draws, and a hold
/// takes all points.
struct MotionContact: Contact {
    private let client: ClientID
    private let lens: Lens
    private let parameter: Parameter
    /// The slot that was shown at the `down`.
    private let slot: Slot
    private let step: Int
    private let downNumber: Int
    private var tracker: TouchTracker
    /// The rows, 0 below, under the finger on the steps that it touched: the last of each.
    private var rows: [Int: Int] = [:]
    /// Where the finger was reported last.
    private var last: Place
    private(set) var preview: [PreviewCell] = []

    init(
        downAt place: Place, _ lens: Lens, of parameter: Parameter, on slot: Slot, step: Int, of client: ClientID,
        on surface: TouchSurface, in turn: Turn
    ) {
        self.client = client
        self.lens = lens
        self.parameter = parameter
        self.slot = slot
        self.step = step
        downNumber = turn.number
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        last = place
        rows[step] = row(at: place.row)
        _ = judgeAnew(in: turn)
    }

    /// A hold waits for the client's word: nothing is shown of it that might have to be taken back.
    var wait: Wait? {
        guard tracker.drag == nil, let hold = tracker.wait else { return nil }
        return Wait(start: hold.start, length: hold.length)
    }

    var drag: DragID? { tracker.isTap ? nil : DragID(number: downNumber) }

    mutating func expire(in turn: inout Turn) {
        tracker.expire()
        turn.show("CLEARED!", at: .finger(tracker.place))
        turn.shake(client, .heavy)
        _ = judgeAnew(in: turn)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        tracker.move(to: place, at: turn.now)
        cross(to: place, in: turn)
        _ = judgeAnew(in: turn)
        guard let drag else { return }
        turn.show(parameter.title(of: value(ofRow: row(at: place.row))), at: .finger(place), during: drag)
    }

    mutating func lift(in turn: inout Turn) {
        var notes = turn.document.pattern[slot]
        notes.motions = drawn(onto: notes.motions)
        if turn.edit([.edit([slot: notes])]) { turn.report(lens.name, notes: 0) }
        if let drag {
            turn.endTooltip(of: drag)
            turn.shake(client, .medium)
        } else if !tracker.isHeld {
            let value = notes.motions[parameter, step]
            turn.show(value.map(parameter.title) ?? lens.title, at: .finger(tracker.place))
            turn.shake(client, .light)
        }
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        guard step < turn.length(of: slot) else { return false }
        rows = rows.filter { $0.key < turn.length(of: slot) }
        let isShown = turn.context.lenses[slot.track] == lens && turn.document.pattern.playing.contains(slot)
        preview = isShown && !tracker.isHeld ? rows.sorted { $0.key < $1.key }.map(cell) : []
        return true
    }

    /// The motions with what the finger means.
    private func drawn(onto motions: Motions) -> Motions {
        var motions = motions
        if tracker.isTap, tracker.isHeld {
            motions.clear(parameter)
        } else if tracker.isTap, let value = motions[parameter, step],
            parameter.motionRow(of: value, of: rowCount) == row(at: tracker.start.row)
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
        guard !tracker.isTap else { return }
        for way in min(1, columns)...max(columns, 0) {
            let share = columns == 0 ? 1 : Double(way) / Double(columns)
            let column = from.column + (place.column < from.column ? -way : way)
            guard let step = Layout.step(atColumn: column), step < turn.length(of: slot) else { continue }
            rows[step] = row(at: from.row + Int((share * Double(place.row - from.row)).rounded()))
        }
    }

    private var rowCount: Int { Layout.rows(of: slot.track).count }

    private func row(at row: Int) -> Int {
        min(max(Layout.rows(of: slot.track).upperBound - row, 0), rowCount - 1)
    }

    private func value(ofRow row: Int) -> Double { parameter.motionValue(atRow: row, of: rowCount) }

    private func cell(at step: Int, row: Int) -> PreviewCell {
        PreviewCell(track: slot.track, note: row * Track.noteCount / rowCount, step: step, velocity: .normal)
    }
}
