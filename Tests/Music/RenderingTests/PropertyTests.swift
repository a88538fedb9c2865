import Grid
import Music
import Rendering
import TestSupport
import Testing

@Suite struct PropertyTests {
    private static let seeds = 0..<200 as Range<UInt64>

    @Test(arguments: seeds)
    func `any scene looks as documented, cell by cell`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        let scene = random.scene()
        let frame = drawn(scene, at: random.moment)
        let expected = DrawingOracle(scene: scene, now: random.moment).cells()
        let wrong = (0..<1056).filter { frame.cells[$0] != expected[$0] }
        #expect(wrong.isEmpty, "cells \(wrong.prefix(5).map { ($0 % 44, $0 / 44) })")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a renderer that drew other scenes draws the same as a fresh one, over any frame`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        var renderer = Renderer()
        var frame = Frame(filledWith: .white)
        for _ in 0..<10 {
            var scene = random.scene()
            for _ in 0..<2 {
                let next = renderer.draw(scene, at: random.moment, into: &frame)
                var fresh = Renderer()
                var other = Frame()
                #expect(next == fresh.draw(scene, at: random.moment, into: &other))
                #expect(frame == other)
                // At another length, the same cells show different notes.
                scene.document.set(.length, to: .number(Double(scene.document.pattern.length == 32 ? 8 : 32)))
            }
        }
    }

    /// Each copies one part of another scene, or changes one setting.
    private static let changes: [@Sendable (inout Scene, Scene) -> Void] = [
        { scene, other in scene.playhead = other.playhead },
        { scene, other in scene.launches = other.launches },
        { scene, other in scene.pickedUp = other.pickedUp },
        { scene, other in scene.levels = other.levels },
        { scene, other in scene.lenses = other.lenses },
        { scene, other in scene.isFilling = other.isFilling },
        { scene, other in scene.punchBars = other.punchBars },
        { scene, other in scene.previews = other.previews },
        { scene, other in scene.tooltip = other.tooltip },
        { scene, _ in scene.document.set(.solo, on: .bass, to: .toggle(scene.document.soloedTrack != .bass)) },
        { scene, _ in scene.document.set(.mute, on: .melody, to: .toggle(!scene.document.isSilent(.melody))) },
        { scene, _ in scene.document.set(.ghosts, to: .toggle(!scene.document.showsGhosts)) },
        { scene, other in scene.document.set(.colors, to: .choice(other.document.colorMode)) },
        { scene, _ in
            let playing = scene.document.pattern.playing[.chords]
            scene.document.launch([Slot(.chords, (playing.index + 1) % Slot.count)])
        },
        { scene, other in
            var cells = scene.document.pattern.cells
            for step in [0, 7] { cells[.chords, step] = other.document.pattern[.chords, step] }
            scene.document.edit(cells)
        },
        { scene, _ in
            var cells = scene.document.pattern.cells
            cells[.melody, 2] = StepNotes(.all, .normal)
            for step in 3...6 { cells[.melody, step] = StepNotes(.all, .sustain) }
            scene.document.edit(cells)
        },
        // The same notes, which fade sooner.
        { scene, _ in
            var cells = scene.document.pattern.cells
            cells[.melody, 6] = StepNotes()
            scene.document.edit(cells)
        },
        // A note's value, which its sustain cells show too.
        { scene, _ in
            var cells = scene.document.pattern.cells
            for note in 0..<12 { cells[.melody][2][whole: note][.chance] = 10 }
            scene.document.edit(cells)
        },
        { scene, other in scene.document.apply(.edit([Slot(.rhythm, 5): other.document.pattern[.rhythm]])) },
        { scene, _ in
            scene.lenses[.bass] = .tone
            var slot = scene.document.pattern[.bass]
            (slot.length, slot.motions[.tone, 2], slot.motions[.tone, 6]) = (24, -24, 24)
            scene.document.apply(.edit([scene.document.pattern.playing[.bass]: slot]))
        },
        // The same points, but a shorter loop has different lines between them.
        { scene, _ in
            var slot = scene.document.pattern[.bass]
            slot.length = 12
            scene.document.apply(.edit([scene.document.pattern.playing[.bass]: slot]))
        },
    ]

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `after any single change, the renderer draws the same as a fresh one`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        var renderer = Renderer()
        var frame = Frame()
        var scene = random.scene()
        for change in Self.changes {
            _ = renderer.draw(scene, at: random.moment, into: &frame)
            change(&scene, random.scene())
            _ = renderer.draw(scene, at: random.moment, into: &frame)
            #expect(frame == drawn(scene, at: random.moment))
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `applying the diff between two scenes' frames gives the second`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        var shown = drawn(random.scene(), at: random.moment)
        for _ in 0..<5 {
            let next = drawn(random.scene(), at: random.moment)
            let isApplied = shown.apply(next.changes(from: shown))
            #expect(isApplied)
            #expect(shown == next)
        }
    }
}
