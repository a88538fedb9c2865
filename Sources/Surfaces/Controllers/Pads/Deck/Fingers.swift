import Grid

/// Makes touches out of pads: a pad begins a touch, one beside its newest pad moves it where the cells are connected, and it
/// ends with its last.
struct Fingers: Equatable, Sendable {
    private struct Held: Equatable {
        let id: Int
        /// The pads that are down, the newest last.
        var pads: [PadPosition]
        var cell: PadCell
    }

    /// Touches, in the order of their last changes.
    private var held: [Held] = []
    private var lastID: Int

    /// - Parameter firstID: The first touch's number.
    init(firstID: Int) { lastID = firstID - 1 }

    var isTouching: Bool { !held.isEmpty }

    mutating func press(_ pad: PadPosition, on cell: PadCell) -> Touch? {
        guard !held.contains(where: { $0.pads.contains(pad) }) else { return nil }
        if let index = held.lastIndex(where: { $0.pads.last?.isBeside(pad) == true && Page.connects($0.cell, cell) }) {
            var touch = held.remove(at: index)
            touch.pads.append(pad)
            touch.cell = cell
            held.append(touch)
            return Touch(id: touch.id, .move, column: cell.column, row: cell.row)
        }
        lastID += 1
        held.append(Held(id: lastID, pads: [pad], cell: cell))
        return Touch(id: lastID, .down, column: cell.column, row: cell.row)
    }

    mutating func release(_ pad: PadPosition) -> Touch? {
        guard let index = held.firstIndex(where: { $0.pads.contains(pad) }) else { return nil }
        held[index].pads.removeAll { $0 == pad }
        guard held[index].pads.isEmpty else { return nil }
        let touch = held.remove(at: index)
        return Touch(id: touch.id, .up, column: touch.cell.column, row: touch.cell.row)
    }

    mutating func cancel(_ pad: PadPosition) -> Touch? {
        guard let index = held.firstIndex(where: { $0.pads.contains(pad) }) else { return nil }
        return Self.cancelled(held.remove(at: index))
    }

    mutating func cancelAll() -> [Touch] {
        defer { held = [] }
        return held.map(Self.cancelled)
    }

    private static func cancelled(_ touch: Held) -> Touch {
        Touch(id: touch.id, .cancel, column: touch.cell.column, row: touch.cell.row)
    }
}
