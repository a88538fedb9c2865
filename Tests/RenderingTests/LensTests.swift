import Grid
import Music
import Rendering
import TestSupport
import Testing

/// What tracks with open lenses look like; a property test compares random scenes.
@Suite struct LensTests {
    private func scene(
        _ lens: Lens?, on track: Track = .bass, _ drawing: String, _ values: [Int: Int] = [:]
    ) throws -> Scene {
        var scene = try RenderingTests.scene(drawing)
        scene.lenses[track] = lens
        guard case .notes(let value)? = lens?.kind else { return scene }
        var cells = scene.document.pattern.cells
        for (step, number) in values { cells[track][step][whole: 0][value] = number }
        scene.document.edit(cells)
        return scene
    }

    @Test func `column 3 shows the open lens's colour on the track's rows only`() throws {
        let colors: [UInt32] =
            [0xffffff, 0xffaa00, 0x00ffaa, 0xff0088, 0x00aaff, 0x888888, 0x8844ff]
            + Array(repeating: 0x45b7d1, count: 5)
        for (lens, color) in zip(Lens.allCases, colors) {
            let frame = drawn(try scene(lens, ""))
            for row in 2...21 { #expect(frame[3, row].rgb == ((14...17).contains(row) ? color : 0x0a0a0a)) }
        }
    }

    @Test func `heads range from a quarter of the colour to all of it, in the table's order`() throws {
        let frame = drawn(try scene(.level, "bass 0 .oooXoo", [2: -3, 3: -6, 4: -9, 5: -12, 6: -18]))
        let alphas = [(25, 100), (450, 1000), (5875, 10000), (725, 1000), (8625, 10000), (100, 100)]
        for (step, alpha) in zip(1...6, alphas) {
            let color = Color.white.over(.background, alpha: Alpha(alpha.0, of: alpha.1))
            #expect(frame.cell(.bass, 0, at: step) == color.rgb)
        }
    }

    @Test func `sustain cells have half of their head's opacity`() throws {
        let frame = drawn(try scene(.ratchet, "bass 0 .o--o-", [1: 8]))
        let pink = Color(0xff0088)
        #expect(frame.cell(.bass, 0, at: 2) == pink.over(.background, alpha: .percent(50)).rgb)
        #expect(frame.cell(.bass, 0, at: 3) == frame.cell(.bass, 0, at: 2))
        #expect(frame.cell(.bass, 0, at: 5) == pink.over(.background, alpha: Alpha(125, of: 1000)).rgb)
    }

    @Test func `a value in between looks like the nearest`() throws {
        for (number, nearest) in [(95, 100), (80, 75), (0, 10)] {
            let frames = try [number, nearest].map { drawn(try scene(.chance, "bass 0 .o", [1: $0])) }
            #expect(frames[0] == frames[1])
        }
    }

    @Test func `a track with an open lens shows no ghosts, but still casts them`() throws {
        var scene = try scene(.cycle, on: .melody, "bass 4 .o\nmelody 0 ..o")
        scene.document.set(.ghosts, to: true)
        #expect(drawn(scene).cell(.melody, 4, at: 1) == 0x0a0a0a)
        #expect(drawn(scene).cell(.chords, 0, at: 2) != 0x0a0a0a)
    }

    @Test func `FILL covers the visible markers with 40 % amber, whatever they were`() throws {
        var scene = try RenderingTests.scene(length: 12)
        scene.playhead = Playhead(step: 2, startedAt: still)
        let before = drawn(scene)
        scene.isFilling = true
        let frame = drawn(scene)
        for column in 0..<44 {
            let isMarker = Layout.step(atColumn: column).map { $0 < 12 && !Layout.isSeparator(column: column) } ?? false
            let expected = isMarker ? Color(0xffaa00).over(before[column, 1], alpha: .percent(40)) : before[column, 1]
            #expect(frame[column, 1] == expected, "column \(column)")
        }
    }
}
