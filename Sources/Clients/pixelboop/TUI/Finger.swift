import PixelBoopClient
import TerminalGrid

/// The mouse as a finger on the grid: down while a button is. Only one button counts at a time.
struct Finger: Equatable {
    static let id = 1

    private var button: MouseEvent.Button?
    private var column = 0
    private var row = 0

    var isDown: Bool { button != nil }

    /// The touch of a mouse event, nil if it is none.
    ///
    /// Terminals do not report which half-block is hit: the left button plays the upper, the right one the lower row.
    /// Another button that goes down meanwhile is ignored.
    mutating func touch(for event: MouseEvent, on placement: GridPlacement) -> Touch? {
        switch event.action {
        case .press: return press(event, on: placement)
        case .drag: return drag(event, on: placement)
        case .release: return release(event, on: placement)
        case .move: return nil
        }
    }

    mutating func cancel() -> Touch? {
        guard isDown else { return nil }
        button = nil
        return Touch(id: Finger.id, .cancel, column: column, row: row)
    }

    private mutating func press(_ event: MouseEvent, on placement: GridPlacement) -> Touch? {
        guard button == nil, let pressed = event.button, pressed != .middle else { return nil }
        guard pressed == .left || placement.style == .halfBlocks else { return nil }
        let cell = placement.cell(atColumn: event.column, row: event.row, lowerHalf: pressed == .right)
        guard Frame.contains(column: cell.column, row: cell.row) else { return nil }
        button = pressed
        (column, row) = cell
        return Touch(id: Finger.id, .down, column: column, row: row)
    }

    private mutating func drag(_ event: MouseEvent, on placement: GridPlacement) -> Touch? {
        guard let button, event.button == button, move(to: event, on: placement) else { return nil }
        return Touch(id: Finger.id, .move, column: column, row: row)
    }

    private mutating func release(_ event: MouseEvent, on placement: GridPlacement) -> Touch? {
        guard let button, event.button == nil || event.button == button else { return nil }
        _ = move(to: event, on: placement)
        self.button = nil
        return Touch(id: Finger.id, .up, column: column, row: row)
    }

    /// Whether the finger is on another cell than before. Cells beyond the grid count: the daemon clamps them.
    private mutating func move(to event: MouseEvent, on placement: GridPlacement) -> Bool {
        let cell = placement.cell(atColumn: event.column, row: event.row, lowerHalf: button == .right)
        guard cell != (column, row) else { return false }
        (column, row) = cell
        return true
    }
}
