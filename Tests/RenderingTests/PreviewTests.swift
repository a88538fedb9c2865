import Grid
import Music
import Rendering
import Testing

@Suite struct PreviewTests {
    private func preview(_ track: Track, _ notes: [Int], at step: Int, _ velocity: Velocity = .normal) -> [PreviewCell]
    {
        notes.map { PreviewCell(track: track, note: $0, step: step, velocity: velocity) }
    }

    @Test func `a preview is 22 % of the note's colour, over any base or note`() throws {
        var scene = try scene("melody 5 ..o")
        scene.previews = [0, 1, 2].map { preview(.melody, [4], at: $0) }
        let frame = drawn(scene)
        #expect(frame.cell(.melody, 4, at: 0) == 0x45450d)
        #expect(frame.cell(.melody, 4, at: 1) == 0x404008)
        // 0x9acd32 under 22 % of 0xffff00.
        #expect(frame.cell(.melody, 4, at: 2) == 0xb0d827)
    }

    @Test(arguments: [Velocity.accent, .normal, .sustain])
    func `the colour is the pitch class's, whatever would be written`(velocity: Velocity) throws {
        var scene = try scene()
        scene.previews = [preview(.bass, [4], at: 1, velocity)]
        #expect(drawn(scene).cell(.bass, 4, at: 1) == 0x404008)
        scene.document.set(.colors, to: .choice(ColorMode.harmonic))
        scene.previews = [preview(.bass, [8], at: 1, velocity)]
        #expect(drawn(scene).cell(.bass, 8, at: 1) == 0x084040)
    }

    @Test func `of several notes in a cell the strongest is shown, of equals the lowest, in any order`()
        throws
    {
        var scene = try scene()
        let cells =
            preview(.rhythm, [0, 2], at: 1) + preview(.rhythm, [1], at: 1, .sustain)
            + preview(.rhythm, [4], at: 2, .accent) + preview(.rhythm, [3], at: 2)
        for cells in [cells, cells.reversed()] {
            scene.previews = [cells]
            let frame = drawn(scene)
            #expect(frame.cell(.rhythm, 0, at: 1) == 0x400808)
            #expect(frame.cell(.rhythm, 4, at: 2) == 0x404008)
        }
    }

    @Test func `previews of several touches are drawn over one another in order`() throws {
        var scene = try scene()
        scene.previews = [preview(.rhythm, [0], at: 1), preview(.rhythm, [2], at: 1)]
        let first = drawn(scene).cell(.rhythm, 0, at: 1)
        scene.previews.reverse()
        let second = drawn(scene).cell(.rhythm, 0, at: 1)
        // C (0xff0000), then D (0xff8c00), and the other way round.
        #expect((first, second) == (0x6a2506, 0x6a1e06))
    }

    @Test func `beyond the length there is no preview`() throws {
        var scene = try scene(length: 8)
        let resting = drawn(scene)
        scene.previews = [preview(.melody, [0], at: 8) + preview(.melody, [0], at: 31)]
        #expect(drawn(scene) == resting)
    }
}
