import Grid
import TestSupport
import Testing

@Suite struct FrameTests {
    @Test func `a frame is 44 columns by 24 rows of background`() {
        let frame = Frame()
        #expect(frame.cells.count == 44 * 24)
        #expect(frame.cells.allSatisfy { $0 == 0x0a0a0a })
    }

    @Test func `cells lie row by row`() {
        var frame = Frame()
        frame[43, 2] = .white
        #expect(frame.cells[2 * 44 + 43] == 0xffffff)
        #expect(frame[43, 2] == .white)
    }

    @Test func `a frame has exactly 1056 cells, of which 24 bits are used`() {
        #expect(Frame(cells: [UInt32](repeating: 0, count: 1055)) == nil)
        #expect(Frame(cells: [UInt32](repeating: 0, count: 1057)) == nil)
        #expect(Frame(cells: [UInt32](repeating: 0xaa0a_0a0a, count: 1056)) == Frame())
    }

    @Test func `only 0,0 to 43,23 is on the grid`() {
        #expect(Frame.contains(column: 0, row: 0) && Frame.contains(column: 43, row: 23))
        for (column, row) in [(-1, 0), (44, 0), (0, -1), (0, 24)] {
            #expect(!Frame.contains(column: column, row: row))
        }
    }

    @Test func `fill paints a rectangle, edges included, and nothing else`() {
        var frame = Frame()
        frame.fill(columns: 1...3, rows: 1...2, with: .white)
        #expect(
            Legend([".": 0x0a0a0a, "#": 0xffffff]).text(of: frame, columns: 0...5, rows: 0...3) == """
                ......
                .###..
                .###..
                ......
                """)
        #expect(frame.cells.filter { $0 == 0xffffff }.count == 6)
    }

    @Test func `an overlay blends with what the cell showed`() {
        var frame = Frame()
        frame.overlay(.white, alpha: .percent(20), column: 5, row: 6)
        #expect(frame[5, 6] == Color(0x3b3b3b))
        #expect(frame.cells.filter { $0 != 0x0a0a0a }.count == 1)
    }
}
