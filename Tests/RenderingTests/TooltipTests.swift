import Grid
import Music
import Rendering
import TestSupport
import Testing

@Suite struct TooltipTests {
    private let legend = Legend([".": 0x0a0a0a, "#": 0xdadada])

    /// A scene whose rows 2 to 21 are background from column 31 on, with a text shown at `still`.
    private func scene(_ text: String, row: Int) throws -> Scene {
        var scene = try RenderingTests.scene(length: 8)
        scene.tooltip = (Tooltip(text: text, row: row), still)
        return scene
    }

    @Test func `a text is drawn in the pixel font, centred`() throws {
        let frame = try drawn(scene("C4 E#", row: 10))
        // 19 columns of 44: from 12 to 30.
        #expect(
            legend.text(of: frame, columns: 12...31, rows: 9...15) == """
                ....................
                .##.#.#.....###.#.#.
                #...#.#.....#...###.
                #...###.....##..#.#.
                #.....#.....#...###.
                .##...#.....###.#.#.
                ....................
                """)
    }

    @Test(arguments: [("H", 20), ("HH", 18), ("HHHHHHHHHH", 2), ("HHHHHHHHHHH", 0), ("HHHHHHHHHHHHHH", 0)])
    func `the first column is floor((44 - width)/2)`(text: String, column: Int) throws {
        let changes = try drawn(scene(text, row: 9)).changes(from: drawn(scene("", row: 9)))
        let columns = changes.map { $0.index % 44 }
        #expect(columns.min() == column)
        #expect(columns.max() == column + 4 * min(text.count, 11) - 2)
    }

    @Test func `a longer text is cut after eleven characters`() throws {
        #expect(try drawn(scene("ABCDEFGHIJKLM", row: 2)) == drawn(scene("ABCDEFGHIJK", row: 2)))
        #expect(try drawn(scene("ABCDEFGHIJKLM", row: 2)) != drawn(scene("ABCDEFGHIJ", row: 2)))
    }

    @Test func `a text is shown for 1200 ms`() throws {
        let scene = try scene("HI", row: 2)
        var without = scene
        without.tooltip = nil
        let last = still + .milliseconds(1200) - .nanoseconds(1)
        #expect(drawn(scene, at: last) != drawn(without, at: last))
        #expect(drawn(scene, at: last + .nanoseconds(1)) == drawn(without, at: last + .nanoseconds(1)))
    }

    @Test func `a drag's text stays as long as the drag lasts`() throws {
        var scene = try scene("HI", row: 2)
        scene.tooltip?.shownAt = nil
        var without = scene
        without.tooltip = nil
        for moment in [still, still + .milliseconds(1200), still + .seconds(3600)] {
            #expect(drawn(scene, at: moment) != drawn(without, at: moment))
        }
    }

    @Test(arguments: [0, 1, 2, 9, 17, 19])
    func `a text is drawn over every column and row that it meets`(row: Int) throws {
        let text = "###########"
        var scene = try scene(text, row: row)
        let over = drawn(scene)
        scene.tooltip = nil
        let under = drawn(scene)
        var wrong: [(Int, Int)] = []
        for x in 0..<44 {
            for y in 0..<24 {
                let isLit = x % 4 != 3 && (row..<(row + 5)).contains(y) && (x % 4 != 1 || (y - row) % 2 == 1)
                let expected = isLit ? whitened(under[x, y]) : under[x, y]
                if over[x, y] != expected { wrong.append((x, y)) }
            }
        }
        #expect(wrong.isEmpty, "cells \(wrong)")
    }

    /// 85 % white over a colour.
    private func whitened(_ color: Color) -> Color {
        func channel(_ value: UInt8) -> UInt8 {
            let hundredths: Int = 255 * 85 + Int(value) * 15
            return UInt8((hundredths + 50) / 100)
        }
        return Color(red: channel(color.red), green: channel(color.green), blue: channel(color.blue))
    }

    @Test(arguments: [-3, 22, 1000, -1000])
    func `rows off the grid and characters without a glyph are left out`(row: Int) throws {
        let plain = try drawn(scene("", row: row))
        let frame = try drawn(scene("H\u{e9}h", row: row))
        let rows = Set(frame.changes(from: plain).map { $0.index / 44 })
        #expect(rows == Set(row..<(row + 5)).intersection(0..<24))
    }

    @Test func `the font has all characters of the tooltips that the instrument shows`() {
        let texts = [
            "ACCENT!", "ARPEGGIO", "CHORD", "WALK", "ROLL", "PHRASE", "FILL", "MULTI", "ROOT+5", "SUSTAIN", "ERASE",
            "CLEARED!", "<<UNDO", "REDO>>", "CHROMATIC", "HARMONIC", "PLAY", "STOP", "UNDO", "REDO", "GHOSTS ON",
            "GHOSTS OFF", "120 BPM", "127.3 BPM", "16 STEPS", "C# MAJOR", "A MINOR", "E PENTA", "MUTE MELODY",
            "MUTE CHORDS", "MUTE BASS", "MUTE RHYTHM", "UNMUTE", "SOLO MELODY", "SOLO CHORDS", "SOLO OFF", "NO JACK",
        ]
        for text in texts {
            #expect(text.count <= 11 && text.allSatisfy { PixelFont.glyph(of: $0) != nil }, "\(text)")
        }
    }
}
