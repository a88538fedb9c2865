import Grid
import TestSupport
import Testing

@testable import TerminalGrid

struct GridPlacementTests {
    @Test(arguments: [
        (88, 26, GridPlacement(style: .twoColumns)),
        (100, 30, GridPlacement(style: .twoColumns, column: 6, row: 2)),
        (87, 26, GridPlacement(style: .halfBlocks, column: 21, row: 6)),
        (88, 25, GridPlacement(style: .halfBlocks, column: 22, row: 5)),
        (44, 14, GridPlacement(style: .halfBlocks)),
        (175, 50, GridPlacement(style: .twoColumns, column: 43, row: 12)),
        (176, 50, GridPlacement(style: .twoColumns, scale: 2)),
        (300, 75, GridPlacement(style: .twoColumns, scale: 3, column: 18, row: 0)),
    ])
    func `it is as large as possible, in the middle, above the status lines`(
        columns: Int, rows: Int, expected: GridPlacement
    ) {
        #expect(GridPlacement(centeredIn: TerminalSize(columns: columns, rows: rows), linesBelow: 2) == expected)
    }

    @Test(arguments: [(43, 40), (200, 13)])
    func `there is none where even half-blocks do not fit`(columns: Int, rows: Int) {
        #expect(GridPlacement(centeredIn: TerminalSize(columns: columns, rows: rows), linesBelow: 2) == nil)
    }

    @Test(arguments: [(CellStyle.twoColumns, 1), (.twoColumns, 2), (.halfBlocks, 1)])
    func `every character of the grid leads back to the cell that it shows`(style: CellStyle, scale: Int) {
        let placement = GridPlacement(style: style, scale: scale, column: 3, row: 2)
        for row in 0..<Frame.rows {
            // Otherwise every fifth cell, which are in all rows and columns.
            for column in 0..<Frame.columns where isLongRun || (row + column) % 5 == 0 {
                var frame = Frame(filledWith: Color(0))
                frame[column, row] = .white
                var screen = Screen(size: TerminalSize(columns: placement.size.columns + 4, rows: placement.bottom + 1))
                screen.draw(frame, at: placement)
                var shown = 0
                for y in 0..<screen.size.rows {
                    for x in 0..<screen.size.columns {
                        let glyph = screen[x, y]
                        let isLower = style == .halfBlocks && glyph.background == .white
                        guard isLower || glyph.foreground == .white || glyph.background == .white else { continue }
                        shown += 1
                        let cell = placement.cell(atColumn: x, row: y, lowerHalf: isLower)
                        if cell != (column, row) { Issue.record("\(x), \(y) leads to \(cell)") }
                    }
                }
                #expect(shown == (style == .twoColumns ? 2 * scale * scale : 1))
            }
        }
    }

    @Test func `a finger left of and above the grid is beyond it, not in its first cell`() {
        let placement = GridPlacement(style: .twoColumns, column: 6, row: 2)
        #expect(placement.cell(atColumn: 5, row: 1) == (-1, -1))
        #expect(placement.cell(atColumn: 6, row: 2) == (0, 0))
        #expect(placement.cell(atColumn: 94, row: 26) == (44, 24))
        let large = GridPlacement(style: .twoColumns, scale: 2, column: 6, row: 2)
        #expect(large.cell(atColumn: 5, row: 1) == (-1, -1))
        #expect(large.cell(atColumn: 1, row: 0) == (-2, -1))
        #expect(large.cell(atColumn: 9, row: 3) == (0, 0))
    }
}
