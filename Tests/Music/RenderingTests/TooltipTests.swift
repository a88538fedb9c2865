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
