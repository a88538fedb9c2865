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
}

/// The cells in which a frame differs from an earlier one.
public struct FrameDiff: Equatable, Sendable {
    /// One changed cell.
    public struct Change: Equatable, Sendable {
        /// row * 44 + column, 0 to 1055.
        public var index: Int
        /// The new colour as `0xRRGGBB`.
        public var rgb: UInt32

        public init(index: Int, rgb: UInt32) {
            self.index = index
            self.rgb = rgb
        }
    }

    /// The changed cells, in ascending order of their index.
    public var changes: [Change]

    /// A diff of the given changes.
    public init(changes: [Change]) {
        self.changes = changes
    }

    /// The changes that turn one frame into another.
    public init(from base: Frame, to frame: Frame) {
        changes = []
        for index in 0..<Frame.cellCount where base.cells[index] != frame.cells[index] {
            changes.append(Change(index: index, rgb: frame.cells[index]))
        }
    }

    /// Whether the frames are the same.
    public var isEmpty: Bool { changes.isEmpty }
}

extension Frame {
    /// Applies a diff against this frame; false, and nothing changed, when a cell is outside the grid.
    @discardableResult
    public mutating func apply(_ diff: FrameDiff) -> Bool {
        guard diff.changes.allSatisfy({ (0..<Frame.cellCount).contains($0.index) }) else { return false }
        for change in diff.changes {
            self[change.index % Frame.columns, change.index / Frame.columns] = Color(change.rgb)
        }
        return true
    }
}
