import Grid
import Music
import Rendering
import TestSupport
import Testing

@Suite struct OverviewTests {
    private let legend = Legend([
        ".": 0x0a0a0a, "=": 0x222222, "-": 0x111111, " ": 0x050505, "m": 0xf7dc6f, "c": 0x4ecdc4, "b": 0x45b7d1,
        "r": 0xff6b6b, "C": 0xff0000, "D": 0xff8c00, "E": 0xffff00, "G": 0x00ffaa,
    ])

    private func overview(_ scene: Scene) -> String {
        legend.text(of: drawn(scene), columns: 0...22, rows: 22...23)
    }

    private let drawing = """
        melody 7 o-...... o
        chords 4 ..o..... .
        chords 0 .o-..... .
        bass   2 .o.o.... ..o
        rhythm 7 .......o ..
        rhythm 0 .....o.X ..
        """

    @Test func `the first track with a note on a step, and the colour of its lowest note; hidden steps are background`()
        throws
    {
        #expect(
            try overview(scene(drawing, length: 12)) == """
                ====mmcb.r.r.m.b.......
                ----GGCD C C.G D ......
                """)
    }

    @Test func `silent tracks are skipped`() throws {
        var scene = try scene(drawing, length: 12)
        scene.document.set(.mute, on: .melody, to: true)
        #expect(
            overview(scene) == """
                ====.ccb.r.r...b.......
                ---- CCD C C.  D ......
                """)
        scene.document.set(.solo, on: .rhythm, to: true)
        #expect(
            overview(scene) == """
                ====.....r.r...........
                ----     C C.    ......
                """)
    }

    @Test func `the playing step shows where no track has a note, also when paused`() throws {
        var scene = try scene(drawing, length: 12)
        scene.playhead = Playhead(step: 4, startedAt: nil)
        #expect(overview(scene).hasPrefix("====mmcb=r.r."))
        scene.playhead = Playhead(step: 5, startedAt: still)
        #expect(overview(scene).hasPrefix("====mmcb.r.r."))
    }

    @Test func `lowest notes have their harmonic colours in harmonic mode`() throws {
        var scene = try scene("melody 7 o")
        scene.document.set(.colors, to: .choice(ColorMode.harmonic))
        #expect(drawn(scene)[4, 23] == Color(0xff4500))
    }
}
