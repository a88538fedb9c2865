import Grid

/// A place on the grid, in cells from its top left corner: x in [0, 44), y in [0, 24).
struct Place: Equatable, Sendable {
    let x: Double
    let y: Double

    /// Where a touch is, clamped to the grid; on a surface that knows only cells, the centre of its cell.
    init(of touch: Touch, on surface: TouchSurface) {
        let x = Place.clamp(touch.x, below: Double(Frame.columns))
        let y = Place.clamp(touch.y, below: Double(Frame.rows))
        switch surface.resolution {
        case .subcell: (self.x, self.y) = (x, y)
        case .cell: (self.x, self.y) = (Double(Int(x)) + 0.5, Double(Int(y)) + 0.5)
        }
    }

    /// A place on the grid.
    init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
    }

    var column: Int { Int(x) }
    var row: Int { Int(y) }

    func isInCell(of other: Place) -> Bool { column == other.column && row == other.row }

    /// Whether it is in one of these cells of a row or in a neighbouring one, also diagonally.
    func isWithinOneCell(of columns: ClosedRange<Int>, row: Int) -> Bool {
        (columns.lowerBound - 1...columns.upperBound + 1).contains(column) && abs(self.row - row) <= 1
    }

    /// The straight-line distance in cells.
    func distance(to other: Place) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    private static func clamp(_ value: Double, below end: Double) -> Double {
        // Written so that a NaN becomes 0.
        value >= 0 ? min(value, end.nextDown) : 0
    }
}
