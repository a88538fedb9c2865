import Grid

/// How a grid's cells are shown by characters.
public enum CellStyle: Equatable, Sendable {
    /// A cell is two characters wide and one high: about square.
    case twoColumns
    /// A character shows two cells, one over the other.
    case halfBlocks

    /// Characters that a whole grid takes.
    public var gridSize: TerminalSize {
        switch self {
        case .twoColumns: TerminalSize(columns: 2 * Frame.columns, rows: Frame.rows)
        case .halfBlocks: TerminalSize(columns: Frame.columns, rows: Frame.rows / 2)
        }
    }
}

/// Where the grid stands on a terminal.
public struct GridPlacement: Equatable, Sendable {
    /// How cells are shown.
    public let style: CellStyle
    /// The terminal's column of the grid's left edge.
    public let column: Int
    /// The terminal's row of the grid's upper edge.
    public let row: Int

    /// The grid with its upper left corner at a place.
    public init(style: CellStyle, column: Int = 0, row: Int = 0) {
        self.style = style
        self.column = column
        self.row = row
    }

    /// The grid in the middle of a terminal with lines of text below it: as large as there is room, nil where there is
    /// none even for half-blocks (44 columns, 12 rows and the text).
    public init?(centeredIn size: TerminalSize, linesBelow: Int) {
        guard
            let style = [CellStyle.twoColumns, .halfBlocks].first(where: { $0.fits(in: size, linesBelow: linesBelow) })
        else {
            return nil
        }
        self.init(
            style: style, column: (size.columns - style.gridSize.columns) / 2,
            row: (size.rows - style.gridSize.rows - linesBelow) / 2)
    }

    /// The first terminal row below the grid.
    public var bottom: Int { row + style.gridSize.rows }

    /// The cell at a character, also beyond the grid's edges (a finger may leave it).
    ///
    /// - Parameter lowerHalf: Which cell is meant where a character shows two.
    public func cell(atColumn column: Int, row: Int, lowerHalf: Bool = false) -> (column: Int, row: Int) {
        let (across, down) = (column - self.column, row - self.row)
        switch style {
        case .twoColumns: return (across >> 1, down)
        case .halfBlocks: return (across, 2 * down + (lowerHalf ? 1 : 0))
        }
    }
}

extension CellStyle {
    fileprivate func fits(in size: TerminalSize, linesBelow: Int) -> Bool {
        gridSize.columns <= size.columns && gridSize.rows + linesBelow <= size.rows
    }
}

extension Screen {
    /// Draws a grid.
    public mutating func draw(_ frame: Frame, at placement: GridPlacement) {
        switch placement.style {
        case .twoColumns: drawTwoColumns(frame, at: placement)
        case .halfBlocks: drawHalfBlocks(frame, at: placement)
        }
    }

    private mutating func drawTwoColumns(_ frame: Frame, at placement: GridPlacement) {
        for row in 0..<Frame.rows {
            for column in 0..<Frame.columns {
                let glyph = Glyph(" ", background: frame[column, row])
                self[placement.column + 2 * column, placement.row + row] = glyph
                self[placement.column + 2 * column + 1, placement.row + row] = glyph
            }
        }
    }

    private mutating func drawHalfBlocks(_ frame: Frame, at placement: GridPlacement) {
        for row in 0..<Frame.rows / 2 {
            for column in 0..<Frame.columns {
                self[placement.column + column, placement.row + row] = Glyph(
                    "\u{2580}", foreground: frame[column, 2 * row], background: frame[column, 2 * row + 1])
            }
        }
    }
}
