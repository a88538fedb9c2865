import Grid
import Music
import TestSupport
import Testing

/// The text drawings that other tests use.
@Suite struct DrawingTests {
    private let legend = Legend([".": 0x0a0a0a, "#": 0xffffff, "r": 0xff0000])

    @Test func `a frame drawn as text and read again is the same`() throws {
        var frame = Frame()
        frame[0, 0] = .white
        frame[43, 23] = Color(0xff0000)
        let text = legend.text(of: frame)
        #expect(text.hasPrefix("#.") && text.hasSuffix(".r"))
        #expect(legend.frame(drawnAs: text) == frame)
        #expect(legend.frame(drawnAs: "#") == legend.frame(drawnAs: "#..\n..."))
    }

    @Test func `colours and characters that are not in the legend are not drawn or read`() {
        var frame = Frame()
        frame[1, 0] = Color(0x123456)
        #expect(legend.text(of: frame, columns: 0...2, rows: 0...0) == ".?.")
        #expect(legend.frame(drawnAs: ".?.") == nil)
        #expect(legend.frame(drawnAs: String(repeating: ".", count: 45)) == nil)
        #expect(legend.frame(drawnAs: String(repeating: "\n", count: 24) + ".") == nil)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `cells drawn as text and read again are the same`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var cells = Cells()
        for track in Track.allCases {
            for step in 0..<32 {
                cells[track, step] = .random(using: &generator)
            }
        }
        #expect(Cells(drawnAs: cells.drawing) == cells)
    }

    @Test func `only what sounds is drawn, from the top of the grid down`() {
        var cells = Cells()
        cells[.rhythm, 0, 31] = .accent
        cells[.melody, 2, 0] = .normal
        cells[.melody, 2, 1] = .sustain
        cells[.melody, 9, 8] = .normal
        #expect(
            cells.drawing == """
                melody 9 ........ o....... ........ ........
                melody 2 o-...... ........ ........ ........
                rhythm 0 ........ ........ ........ .......X
                """)
    }

    @Test(arguments: ["drums 0 o", "melody 12 o", "melody x o", "melody 0", "melody 0 o?", "melody 0 " + longLine])
    func `an unreadable line is refused`(text: String) {
        #expect(Cells(drawnAs: text) == nil)
    }

    private static let longLine = String(repeating: "o", count: 33)
}
