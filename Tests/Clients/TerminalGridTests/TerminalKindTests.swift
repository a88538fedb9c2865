import Foundation
import Grid
import ProgramTestSupport
import Testing

@testable import TerminalGrid

/// Terminals are not sent what they do not understand.
struct TerminalKindTests {
    @Test(arguments: [
        (["TERM": "xterm-256color"], TerminalKind(depth: .palette)),
        (["TERM": "xterm-256color", "LANG": "de_DE.UTF-8"], TerminalKind(depth: .palette)),
        (["TERM": "xterm-256color", "LANG": "de_DE.utf8", "LC_ALL": ""], TerminalKind(depth: .palette)),
        (
            ["TERM": "xterm-256color", "LANG": "de_DE.UTF-8", "LC_ALL": "C"],
            TerminalKind(depth: .palette, hasBlocks: false)
        ),
        (["TERM": "linux"], TerminalKind(depth: .sixteen, hasModes: false)),
        (["TERM": "vt100"], TerminalKind(depth: .monochrome, hasBlocks: false, hasModes: false)),
        (["TERM": "vte"], TerminalKind(depth: .palette)),
        (["TERM": "vte-256color"], TerminalKind(depth: .palette)),
        (["TERM": "dumb"], TerminalKind(depth: .monochrome, hasBlocks: false, hasModes: false)),
    ])
    func `the environment says what a terminal understands`(environment: [String: String], kind: TerminalKind) {
        #expect(TerminalKind(environment: environment) == kind)
    }

    @Test func `16 colours are solid blocks where there are blocks, as backgrounds can only be dark`() {
        var screen = Screen(size: TerminalSize(columns: 3, rows: 1))
        screen[0, 0] = Glyph(" ", background: Color(0xff5555))
        screen[1, 0] = Glyph(Glyph.upperHalf, foreground: .white, background: Color(0x00aa00))
        screen[2, 0] = Glyph("C", foreground: Color(0), background: .white)
        let blocks = TerminalKind(depth: .sixteen)
        #expect(
            screen.lines(on: blocks) == ["\u{1b}[0;91;49m\u{2588}\u{1b}[0;97;42m\u{2580}\u{1b}[0;30;107mC\u{1b}[0m"])
        let none = TerminalKind(depth: .sixteen, hasBlocks: false)
        #expect(screen.lines(on: none) == ["\u{1b}[0;39;101m \u{1b}[0;97;42m\"\u{1b}[0;30;107mC\u{1b}[0m"])
    }

    @Test func `without colours cells are characters as dense as they are bright, and text stays text`() {
        var screen = Screen(size: TerminalSize(columns: 3, rows: 1))
        screen[0, 0] = Glyph(" ", background: .white)
        screen[1, 0] = Glyph(Glyph.upperHalf, foreground: .white, background: Color(0))
        screen[2, 0] = Glyph("C", foreground: Color(0), background: .white)
        #expect(screen.lines(on: TerminalKind(depth: .monochrome)) == ["@=C"])
    }

    @Test func `without modes a picture is sent as it is`() {
        var screen = Screen(size: TerminalSize(columns: 1, rows: 1))
        screen[0, 0] = Glyph("x")
        let update = screen.update(after: nil, on: TerminalKind(depth: .monochrome, hasBlocks: false, hasModes: false))
        #expect(update == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Hx\u{1b}[0m")
    }

    @Test(arguments: [0x000000, 0xffffff, 0xff0000, 0x0055ff, 0x8a2be2, 0x777777, 0x4ecdc4] as [UInt32])
    func `names are black or white, with a contrast of at least 4.5`(rgb: UInt32) {
        var frame = Frame()
        frame[4, 7] = Color(rgb)
        var labels = Labels()
        labels[4, 7] = "C#"
        var screen = Screen(size: TerminalSize(columns: 88, rows: 24))
        screen.draw(labels, over: frame, at: GridPlacement(style: .twoColumns))
        let glyph = screen[8, 7]
        #expect(glyph.character == "C" && screen[9, 7].character == "#" && glyph.background == Color(rgb))
        let (text, cell) = (glyph.foreground!.luminance, Color(rgb).luminance)
        #expect((max(text, cell) + 0.05) / (min(text, cell) + 0.05) >= 4.5)
    }

    @Test func `names that would touch the one before them are left out`() {
        var labels = Labels()
        for (column, text) in [(1, "C#"), (2, "C#"), (3, "D#"), (4, "E"), (5, "F#"), (7, "G")] {
            labels[column, 1] = text
        }
        var screen = Screen(size: TerminalSize(columns: 88, rows: 24))
        screen.draw(labels, over: Frame(), at: GridPlacement(style: .twoColumns))
        #expect(String((0..<16).map { screen[$0, 1].character }) == "  C#  D#  F#  G ")
    }

    @Test func `in larger cells names are in the middle, in half-blocks there is no room for any`() {
        var labels = Labels()
        labels[1, 1] = "BD"
        labels[2, 1] = "C"
        var large = Screen(size: TerminalSize(columns: 264, rows: 72))
        large.draw(labels, over: Frame(), at: GridPlacement(style: .twoColumns, scale: 3))
        #expect(large[8, 4].character == "B" && large[9, 4].character == "D" && large[14, 4].character == "C")
        var small = Screen(size: TerminalSize(columns: 44, rows: 12))
        small.draw(labels, over: Frame(), at: GridPlacement(style: .halfBlocks))
        #expect(small == Screen(size: small.size))
    }
}

extension Color {
    /// WCAG 2.2's relative luminance.
    fileprivate var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let share = Double(channel) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
