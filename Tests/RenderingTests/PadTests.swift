import Grid
import Music
import Rendering
import TestSupport
import Testing

/// Columns 40 to 43.
@Suite struct PadTests {
    // The bass track's pads, 0x45b7d1 over the background, and the scenes', 0xcccccc.
    private let legend = Legend([
        ".": 0x0a0a0a, "+": 0xaaaaaa, "0": 0x0f181a, "3": 0x1c3e46, "5": 0x28616e, "6": 0x2d7281, "1": 0x45b7d1,
        "s": 0x1a1a1a, "t": 0x444444, "c": 0x6b6b6b, "p": 0x7e7e7e, "S": 0xcccccc,
    ])

    private func pads(_ scene: Scene, rows: ClosedRange<Int>) -> String {
        legend.text(of: drawn(scene), columns: 40...43, rows: rows)
    }

    private func playing(_ drawing: String = "", step: Int = 0) throws -> Scene {
        var scene = try scene(drawing)
        scene.isPlaying = true
        scene.playhead = Playhead(step: step, startedAt: nil)
        return scene
    }

    @Test func `a pad is dim when it is empty, brighter with notes, brightest when it plays`() throws {
        #expect(try pads(scene(), rows: 14...17) == "6000\n6000\n0000\n0000")
        var scene = try scene("bass 0 o")
        #expect(pads(scene, rows: 14...17) == "1000\n1000\n0000\n0000")
        scene.document.launch([Slot(.bass, 6)])
        #expect(pads(scene, rows: 14...17) == "3000\n3000\n0060\n0060")
    }

    @Test func `hidden steps count as notes`() throws {
        var scene = try scene("bass 0 ........ ........ ........ .......o")
        scene.document.set(.length, to: 8)
        #expect(pads(scene, rows: 14...15) == "1000\n1000")
    }

    @Test func `a queued pad is lit in the first half of each beat`() throws {
        for (step, text) in [(0, "6010"), (1, "6010"), (2, "6000"), (3, "6000"), (5, "6010"), (31, "6000")] {
            var scene = try playing(step: step)
            scene.launches.take(.launch(.track(.bass), 2, .queued), playing: PlayingSlots())
            #expect(pads(scene, rows: 14...15) == text + "\n" + text)
        }
    }

    @Test func `the pads of a chain are brighter`() throws {
        var scene = try playing("bass 0 o", step: 3)
        scene.launches.take(.chain(.track(.bass), [0, 1, 7]), playing: PlayingSlots())
        #expect(pads(scene, rows: 14...17) == "1500\n1500\n0005\n0005")
    }

    @Test func `a scene has notes if one of its slots does, and plays if all of them do`() throws {
        var scene = try scene("bass 0 o")
        #expect(pads(scene, rows: 22...23) == "Ssss\nssss")
        scene.document.launch([Slot(.melody, 4)])
        #expect(pads(scene, rows: 22...23) == "tsss\nssss")
        scene.document.launch(Slot.scene(4))
        #expect(pads(scene, rows: 22...23) == "tsss\npsss")
    }

    @Test func `a scene is queued or in a chain only if it was launched as a scene`() throws {
        var scene = try playing("bass 0 o")
        for track in Track.allCases {
            scene.launches.take(.launch(.track(track), 3, .queued), playing: PlayingSlots())
        }
        #expect(pads(scene, rows: 22...23) == "Ssss\nssss")
        scene.launches.take(.chain(.scenes, [1, 2]), playing: PlayingSlots())
        #expect(pads(scene, rows: 22...23) == "SScs\nssss")
    }

    @Test func `a pad that was picked up is covered with white`() throws {
        var scene = try scene()
        scene.pickedUp = [Pad(.track(.bass), 0)]
        #expect(drawn(scene)[40, 14] == Color.white.over(Color(0x2d7281), alpha: .percent(60)))
        #expect(drawn(scene)[41, 14] == Color(0x0f181a))
    }

    @Test(arguments: [
        (LaunchQuantum.loop, 0, "+..."), (.loop, 3, "+..."), (.loop, 4, "++.."), (.loop, 8, "+++."),
        (.loop, 12, "++++"),
        (.loop, 15, "++++"), (.bar, 3, "+..."), (.bar, 12, "++++"), (.beat, 1, "++.."), (.beat, 6, "+++."),
        (.step, 5, "+..."),
    ])
    func `row 1 shows how near the next launch point is`(quantum: LaunchQuantum, step: Int, text: String) throws {
        var scene = try playing(step: step)
        scene.document.set(.length, to: 16)
        scene.document.set(.launchQuantum, to: .choice(quantum))
        scene.playhead?.songStep = 160 + step
        #expect(pads(scene, rows: 1...1) == "....")
        scene.launches.take(.launch(.scenes, 1, .queued), playing: PlayingSlots())
        #expect(pads(scene, rows: 1...1) == text)
        scene.isPlaying = false
        #expect(pads(scene, rows: 1...1) == "....")
    }
}
