import Grid
import Music

/// A finger on a track with an open lens. It keeps working on that lens even if the track shows another by then.
struct LensFinger: Contact {
    let lens: Lens
    /// The slot that was shown at the `down`.
    let slot: Slot
    /// The step where the finger went down.
    let step: Int
    private(set) var tracker: TouchTracker
    /// Where the finger was last on each step: 0 at the middle of the lowest row, 1 at that of the highest.
    private(set) var heights: [Int: Double] = [:]
    /// Whether its surface knows places inside cells.
    let isExact: Bool
    private(set) var preview: [PreviewCell] = []
    private let client: ClientID
    private let downNumber: Int

    init(
        downAt place: Place, _ lens: Lens, on slot: Slot, step: Int, of client: ClientID, on surface: TouchSurface,
        in turn: inout Turn
    ) {
        self.lens = lens
        self.slot = slot
        self.step = step
        self.client = client
        downNumber = turn.number
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        isExact = surface.resolution == .subcell
        heights[step] = height(at: place.y)
        judge(in: turn)
        guard case .notes(let value) = lens.kind else { return }
        let notes = NoteSet(Layout.notes(of: slot.track, row: place.row))
        let shown = turn.document.pattern.sounding(slot)[step].choice(of: value, among: notes)
        turn.show(value.row.title(value.row.choices[shown]), at: .finger(place))
    }

    /// A hold waits for the client's report, so that nothing is shown that would have to be withdrawn.
    var wait: Wait? {
        guard holds, tracker.drag == nil, let hold = tracker.wait else { return nil }
        return Wait(start: hold.start, length: hold.length)
    }

    /// Whether a hold does anything.
    private var holds: Bool {
        switch lens.kind {
        case .notes, .motion: true
        case .length, .speed: false
        }
    }

    var drag: DragID? { tracker.isTap ? nil : DragID(number: downNumber) }

    mutating func expire(in turn: inout Turn) {
        tracker.expire()
        if let change = judge(in: turn) { turn.show(change.title, at: .finger(tracker.place)) }
        turn.shake(client, .heavy)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        // Places before the drag do not count; it touches every step from its start on.
        let last = tracker.target
        tracker.move(to: place, at: turn.now)
        if !tracker.isTap { cross(from: last, to: place) }
        guard let change = judge(in: turn), let drag else { return }
        turn.show(change.title, at: .finger(place), during: drag)
    }

    mutating func lift(in turn: inout Turn) {
        guard let change = judge(in: turn) else { return }
        if turn.edit([.edit([slot: change.contents])]) { turn.report(lens.name, notes: change.noteCount) }
        if let drag {
            turn.endTooltip(of: drag)
            turn.shake(client, .medium)
        } else if !tracker.isHeld {
            turn.show(change.title, at: .finger(tracker.place))
            turn.shake(client, .light)
        }
    }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        guard lens == .length || step < turn.length(of: slot) else { return false }
        judge(in: turn)
        return true
    }

    /// What lifting the finger now would do, nil for nothing. It is previewed while the slot plays, and the lens is open.
    @discardableResult
    private mutating func judge(in turn: Turn) -> LensChange? {
        let change = change(in: turn)
        let isShown = turn.context.lenses[slot.track] == lens && turn.document.pattern.playing.contains(slot)
        preview = isShown ? change?.preview ?? [] : []
        return change
    }

    /// Follows the finger over the steps in a straight line.
    private mutating func cross(from last: Place, to place: Place) {
        let columns = abs(place.column - last.column)
        for way in min(1, columns)...columns {
            let share = columns == 0 ? 1 : Double(way) / Double(columns)
            let column = last.column + (place.column < last.column ? -way : way)
            guard let step = Layout.step(atColumn: column) else { continue }
            heights[step] = height(at: last.y + share * (place.y - last.y))
        }
    }

    var rowCount: Int { Layout.rows(of: slot.track).count }

    /// How high a place is on the track's rows, beyond their middles clamped.
    func height(at y: Double) -> Double {
        let lowest = Double(Layout.rows(of: slot.track).upperBound) + 0.5
        return min(max((lowest - y) / Double(rowCount - 1), 0), 1)
    }

    /// The track's row, from 0 at the bottom, that is nearest to a row of the grid.
    func row(at row: Int) -> Int { min(max(Layout.rows(of: slot.track).upperBound - row, 0), rowCount - 1) }
}
