import Grid
import ProgramTestSupport
import TestSupport
import Testing

@testable import TerminalGrid

struct ScreenUpdateTests {
    private let size = TerminalSize(columns: 88, rows: 26)
    /// Old content, which must be overwritten.
    private let rubbish = Glyph("#", background: Color(0x123456))

    private func screen(_ frame: Frame, status: String = "120 BPM") -> Screen {
        var screen = Screen(size: size)
        screen.draw(frame, at: GridPlacement(style: .twoColumns))
        screen.write(status, column: 0, row: 24)
        return screen
    }

    @Test func `a first update shows the whole screen, whatever was there`() throws {
        var terminal = TerminalModel(size: size, filledWith: rubbish)
        let drawn = screen(Frame(filledWith: Color(0x4ecdc4)))
        try terminal.receive(drawn.update(after: nil, on: TerminalKind()))
        #expect(terminal.screen == drawn)
    }

    @Test func `nothing is sent when nothing changed`() {
        let drawn = screen(Frame())
        #expect(drawn.update(after: drawn, on: TerminalKind()).isEmpty)
    }

    @Test func `one changed cell costs two characters`() throws {
        let before = screen(Frame())
        var frame = Frame()
        frame[43, 23] = .white
        let after = screen(frame)
        var terminal = TerminalModel(size: size, filledWith: rubbish)
        try terminal.receive(before.update(after: nil, on: TerminalKind()))
        let written = terminal.charactersWritten
        try terminal.receive(after.update(after: before, on: TerminalKind()))
        #expect(terminal.charactersWritten == written + 2)
        #expect(terminal.screen == after)
    }

    @Test func `a screen of another size is drawn completely`() throws {
        let before = screen(Frame())
        var after = Screen(size: TerminalSize(columns: 60, rows: 20))
        after.draw(Frame(filledWith: .white), at: GridPlacement(style: .halfBlocks, column: 8, row: 3))
        var terminal = TerminalModel(size: after.size, filledWith: rubbish)
        try terminal.receive(after.update(after: before, on: TerminalKind()))
        #expect(terminal.screen == after)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `any sequence of updates leaves the terminal with the last screen`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let size = TerminalSize(columns: .random(in: 1...60, using: &random), rows: .random(in: 1...30, using: &random))
        let colors: [Color?] = [nil, .white, Color(0xff0000), Color(0x00ff00)]
        var terminal = TerminalModel(size: size, filledWith: rubbish)
        var current = Screen(size: size)
        try terminal.receive(current.update(after: nil, on: TerminalKind()))
        for _ in 0..<40 {
            let previous = current
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let (column, row) = (Int.random(in: -1...60, using: &random), Int.random(in: -1...30, using: &random))
                current[column, row] = Glyph(
                    ["a", " ", "\u{2580}"].randomElement(using: &random)!,
                    foreground: colors.randomElement(using: &random)!,
                    background: colors.randomElement(using: &random)!)
            }
            try terminal.receive(current.update(after: previous, on: TerminalKind()))
            #expect(terminal.screen == current)
        }
    }

    @Test func `text from outside cannot control the terminal`() throws {
        var drawn = Screen(size: TerminalSize(columns: 12, rows: 1))
        drawn.write("a\u{1b}[2Jb\n\u{9b}", column: 0, row: 0)
        #expect(drawn.lines(on: TerminalKind())[0].hasPrefix("\u{1b}[39;49ma?[2Jb??"))
    }

    @Test func `lines end in the terminal's own colours and without blanks`() {
        var drawn = Screen(size: TerminalSize(columns: 4, rows: 2))
        drawn[0, 0] = Glyph(" ", background: Color(0x010203))
        drawn[1, 0] = Glyph(" ", background: Color(0x010203))
        #expect(drawn.lines(on: TerminalKind()) == ["\u{1b}[39;48;2;1;2;3m  \u{1b}[0m", ""])
    }
}
