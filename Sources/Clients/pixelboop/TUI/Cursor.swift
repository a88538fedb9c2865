import Grid
import PixelBoopClient
import TerminalGrid

/// A finger moved by keys, on a marked cell. A terminal reports when a key is pressed but not when it is released, so
/// one key puts the finger down and another lifts it.
struct Cursor: Equatable {
    static let id = 3

    enum Finger: Equatable {
        case up
        /// It goes down with the first movement, so that it does not count as held while the player decides where to
        /// go.
        case aboutToDrag
        case down
    }

    private(set) var column = Layout.firstStepColumn
    private(set) var row = 7
    private(set) var finger = Finger.up
    /// Whether it is shown: from its first key until the mouse is used.
    private(set) var isShown = false

    /// The touches of a key; nil if the cursor does not use it. The first key only shows the cursor.
    mutating func react(to key: TerminalKey) -> [Touch]? {
        guard Cursor.means(key) else { return nil }
        guard isShown else {
            isShown = true
            return []
        }
        switch key {
        case .enter: return finger == .down ? lift(.up) : tap()
        case .character("h"), .character("H"): return finger == .down ? lift(.up) : press()
        case .character("d"), .character("D"):
            if finger == .down { return lift(.up) }
            finger = .aboutToDrag
            return []
        default: return move(to: Cursor.place(from: (column, row), by: key))
        }
    }

    /// Moves it, hidden, to where the mouse is. A finger that is down stays where it is.
    mutating func hide(atColumn column: Int, row: Int) {
        guard finger == .up, Frame.contains(column: column, row: row) else { return }
        (self.column, self.row) = (column, row)
        isShown = false
    }

    mutating func cancel() -> [Touch] {
        lift(.cancel)
    }

    private static func means(_ key: TerminalKey) -> Bool {
        switch key {
        case .up, .down, .left, .right, .home, .end, .tab, .backTab, .enter: true
        case .character(let character): "hHdD".contains(character)
        default: false
        }
    }

    private func touch(_ phase: TouchPhase) -> Touch { Touch(id: Cursor.id, phase, column: column, row: row) }

    private mutating func tap() -> [Touch] {
        finger = .up
        return [touch(.down), touch(.up)]
    }

    private mutating func press() -> [Touch] {
        finger = .down
        return [touch(.down)]
    }

    private mutating func lift(_ phase: TouchPhase) -> [Touch] {
        defer { finger = .up }
        return finger == .down ? [touch(phase)] : []
    }

    private mutating func move(to place: (column: Int, row: Int)) -> [Touch] {
        guard place != (column, row) else { return [] }
        let first = finger == .aboutToDrag ? press() : []
        (column, row) = place
        return first + (finger == .down ? [touch(.move)] : [])
    }

    /// Where a key leads from a cell.
    private static func place(from place: (column: Int, row: Int), by key: TerminalKey) -> (column: Int, row: Int) {
        let (column, row) = place
        switch key {
        case .left: return (max(column - 1, 0), row)
        case .right: return (min(column + 1, Frame.columns - 1), row)
        case .up: return (column, max(row - 1, 0))
        case .down: return (column, min(row + 1, Frame.rows - 1))
        case .home: return (Layout.firstStepColumn, row)
        case .end: return (Layout.column(ofStep: 31), row)
        default: return (column, neighbour(ofRow: row, isNext: key == .tab))
        }
    }

    /// The top row of the next or the previous part of the grid: controls, tracks, overview, in a ring.
    private static func neighbour(ofRow row: Int, isNext: Bool) -> Int {
        let tops = [Layout.controlRow] + SlotBank.all.map { Layout.rows(of: $0).lowerBound }
        let part = tops.lastIndex { $0 <= row } ?? 0
        return tops[(part + (isNext ? 1 : tops.count - 1)) % tops.count]
    }
}
