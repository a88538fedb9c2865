import Grid

/// How characters show a grid's cells.
public enum CellStyle: Equatable, Sendable {
    /// A cell is two characters wide and one high: about square.
    case twoColumns
    /// A character shows two cells, one above the other.
    case halfBlocks

    /// The size of the grid in characters.
    public var gridSize: TerminalSize {
        switch self {
        case .twoColumns: TerminalSize(columns: 2 * Frame.columns, rows: Frame.rows)
        case .halfBlocks: TerminalSize(columns: Frame.columns, rows: Frame.rows / 2)
        }
    }
}

/// Where the grid is on a terminal.
public struct GridPlacement: Equatable, Sendable {
    public let style: CellStyle
    /// How much larger than in its style alone.
    public let scale: Int
    /// The terminal column of the grid's left edge.
    public let column: Int
    /// The terminal row of the grid's top edge.
    public let row: Int

    /// The grid with its upper left corner at a place.
    public init(style: CellStyle, scale: Int = 1, column: Int = 0, row: Int = 0) {
        self.style = style
        self.scale = scale
        self.column = column
        self.row = row
    }

    /// Centres the grid in a terminal with lines of text below it, as large as possible; nil if there is no room even
    /// for half-blocks (44 columns, 12 rows and the text).
    public init?(centeredIn size: TerminalSize, linesBelow: Int) {
        func scale(_ style: CellStyle) -> Int {
            min(size.columns / style.gridSize.columns, (size.rows - linesBelow) / style.gridSize.rows)
        }
        let large = scale(.twoColumns)
        guard large > 0 || scale(.halfBlocks) > 0 else { return nil }
        // Half-blocks only if nothing larger fits: their cells are too small for names.
        let (style, factor) = large > 0 ? (CellStyle.twoColumns, large) : (.halfBlocks, 1)
        self.init(
            style: style, scale: factor, column: (size.columns - factor * style.gridSize.columns) / 2,
            row: (size.rows - factor * style.gridSize.rows - linesBelow) / 2)
    }

    public var size: TerminalSize {
        TerminalSize(columns: scale * style.gridSize.columns, rows: scale * style.gridSize.rows)
    }

    /// The first terminal row below the grid.
    public var bottom: Int { row + size.rows }

    /// The terminal row in the middle of a row of cells.
    public func terminalRow(ofCellRow row: Int) -> Int {
        switch style {
        case .twoColumns: self.row + row * scale + (scale - 1) / 2
        case .halfBlocks: self.row + row / 2
        }
    }

    /// The cell at a character, even beyond the grid's edges (a finger may leave it).
    ///
    /// - Parameter lowerHalf: Whether the lower of a character's two cells is meant.
    public func cell(atColumn column: Int, row: Int, lowerHalf: Bool = false) -> (column: Int, row: Int) {
        let (across, down) = (column - self.column, row - self.row)
        switch style {
        case .twoColumns: return (across.floored(by: 2 * scale), down.floored(by: scale))
        case .halfBlocks: return (across, 2 * down + (lowerHalf ? 1 : 0))
        }
    }
}

extension Int {
    /// Divided and rounded down, negative numbers too.
    fileprivate func floored(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
