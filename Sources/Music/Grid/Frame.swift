/// One picture of the grid: 44 columns by 24 rows, (0,0) top-left.
public struct Frame: Equatable, Sendable {
    /// Cells in a row.
    public static let columns = 44
    public static let rows = 24
    /// Cells in all.
    public static let cellCount = columns * rows

    /// The cells as `0xRRGGBB`, row by row: index = row * 44 + column.
    public private(set) var cells: [UInt32]

    /// A frame in one colour.
    public init(filledWith color: Color = .background) {
        cells = [UInt32](repeating: color.rgb, count: Frame.cellCount)
    }

    /// A frame from its cells, row by row; nil unless there are exactly 1056.
    public init?(cells: [UInt32]) {
        guard cells.count == Frame.cellCount else { return nil }
        self.cells = cells.map { $0 & 0xff_ffff }
    }

    /// The colour of a cell; column 0 to 43, row 0 to 23.
    public subscript(column: Int, row: Int) -> Color {
        get { Color(cells[row * Frame.columns + column]) }
        set { cells[row * Frame.columns + column] = newValue.rgb }
    }

    /// Whether a cell lies on the grid.
    public static func contains(column: Int, row: Int) -> Bool {
        (0..<columns).contains(column) && (0..<rows).contains(row)
    }

    /// Paints a rectangle of cells.
    public mutating func fill(
        columns: ClosedRange<Int> = 0...(Frame.columns - 1), rows: ClosedRange<Int>, with color: Color
    ) {
        for row in rows {
            for column in columns { self[column, row] = color }
        }
    }

    /// Blends a colour over what a cell shows.
    public mutating func overlay(_ color: Color, alpha: Alpha, column: Int, row: Int) {
        self[column, row] = color.over(self[column, row], alpha: alpha)
    }

    /// The changes that turn another frame into this one, in ascending order of their index.
    public func changes(from base: Frame) -> [CellChange<UInt32>] { cells.changes(from: base.cells) }

    /// Applies changes; false, and nothing changed, when a cell is outside the grid.
    @discardableResult
    public mutating func apply(_ changes: [CellChange<UInt32>]) -> Bool {
        cells.apply(changes) { Color($0).rgb }
    }
}
