import Grid

extension Screen {
    public mutating func draw(_ frame: Frame, at placement: GridPlacement) {
        switch placement.style {
        case .twoColumns: drawWholeCells(frame, at: placement)
        case .halfBlocks: drawHalfBlocks(frame, at: placement)
        }
    }

    /// Writes labels into the cells, unless a character shows two cells.
    public mutating func draw(_ labels: Labels, over frame: Frame, at placement: GridPlacement) {
        guard placement.style == .twoColumns else { return }
        let width = 2 * placement.scale
        for row in 0..<Frame.rows {
            // A name that would touch the last one, which ends there, is left out.
            var end = 0
            for column in 0..<Frame.columns where !labels[column, row].isEmpty {
                let text = labels[column, row].prefix(width)
                let start = column * width + (width - text.count) / 2
                guard end == 0 || start > end else { continue }
                end = start + text.count
                write(
                    text, column: placement.column + start, row: placement.terminalRow(ofCellRow: row),
                    foreground: frame[column, row].contrast, background: frame[column, row])
            }
        }
    }

    /// Marks a cell: with brackets, or, if a character shows two cells, with an arrowhead that points at it.
    public mutating func drawCursor(column: Int, row: Int, over frame: Frame, at placement: GridPlacement) {
        let color = frame[column, row]
        func mark(_ character: Character) -> Glyph {
            Glyph(character, foreground: color.contrast, background: color)
        }
        switch placement.style {
        case .twoColumns:
            let left = placement.column + 2 * placement.scale * column
            for line in 0..<placement.scale {
                self[left, placement.row + placement.scale * row + line] = mark("[")
                self[left + 2 * placement.scale - 1, placement.row + placement.scale * row + line] = mark("]")
            }
        case .halfBlocks:
            self[placement.column + column, placement.row + row / 2] = mark(row % 2 == 0 ? "^" : "v")
        }
    }

    private mutating func drawWholeCells(_ frame: Frame, at placement: GridPlacement) {
        for line in 0..<placement.size.rows {
            for place in 0..<placement.size.columns {
                let color = frame[place / (2 * placement.scale), line / placement.scale]
                self[placement.column + place, placement.row + line] = Glyph(" ", background: color)
            }
        }
    }

    private mutating func drawHalfBlocks(_ frame: Frame, at placement: GridPlacement) {
        for row in 0..<Frame.rows / 2 {
            for column in 0..<Frame.columns {
                self[placement.column + column, placement.row + row] = Glyph(
                    Glyph.upperHalf, foreground: frame[column, 2 * row], background: frame[column, 2 * row + 1])
            }
        }
    }
}
