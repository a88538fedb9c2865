import Grid
import Testing

@testable import TerminalGrid

struct GridPlacementTests {
    @Test(arguments: [
        (88, 26, GridPlacement(style: .twoColumns)),
        (100, 30, GridPlacement(style: .twoColumns, column: 6, row: 2)),
        (87, 26, GridPlacement(style: .halfBlocks, column: 21, row: 6)),
        (88, 25, GridPlacement(style: .halfBlocks, column: 22, row: 5)),
        (44, 14, GridPlacement(style: .halfBlocks)),
    ])
    func `it is as large as there is room, in the middle, above the status lines`(
        columns: Int, rows: Int, expected: GridPlacement
    ) {
        #expect(GridPlacement(centeredIn: TerminalSize(columns: columns, rows: rows), linesBelow: 2) == expected)
    }

    @Test(arguments: [(43, 40), (200, 13)])
    func `there is none where even half-blocks do not fit`(columns: Int, rows: Int) {
        #expect(GridPlacement(centeredIn: TerminalSize(columns: columns, rows: rows), linesBelow: 2) == nil)
    }

    @Test(arguments: [CellStyle.twoColumns, .halfBlocks])
    func `every character of the grid leads back to the cell that it shows`(style: CellStyle) {
        let placement = GridPlacement(style: style, column: 3, row: 2)
        for row in 0..<Frame.rows {
            for column in 0..<Frame.columns {
                var frame = Frame(filledWith: Color(0))
                frame[column, row] = .white
                var screen = Screen(size: TerminalSize(columns: 100, rows: 30))
                screen.draw(frame, at: placement)
                for y in 0..<30 {
                    for x in 0..<100 {
                        let glyph = screen[x, y]
                        let isLower = style == .halfBlocks && glyph.background == .white
                        guard isLower || glyph.foreground == .white || glyph.background == .white else { continue }
                        #expect(placement.cell(atColumn: x, row: y, lowerHalf: isLower) == (column, row))
                    }
                }
            }
        }
    }

    @Test func `a finger left of and above the grid is beyond it, not in its first cell`() {
        let placement = GridPlacement(style: .twoColumns, column: 6, row: 2)
        #expect(placement.cell(atColumn: 5, row: 1) == (-1, -1))
        #expect(placement.cell(atColumn: 6, row: 2) == (0, 0))
        #expect(placement.cell(atColumn: 94, row: 26) == (44, 24))
    }
}
