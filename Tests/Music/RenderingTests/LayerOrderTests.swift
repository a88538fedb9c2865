import Grid
import Music
import Rendering
import Testing

/// One cell, the G of melody on step 1, under more and more layers. Each colour was computed by hand from the one
/// before.
@Suite struct LayerOrderTests {
    @Test func `note, playhead, pulse, preview, tooltip: each is drawn over those before it`() throws {
        var scene = try scene("melody 7 .o", ghosts: true)
        let column = Layout.column(ofStep: 1)
        let row = Layout.row(of: .melody, note: 7)
        func cell() -> UInt32 { drawn(scene)[column, row].rgb }

        #expect(cell() == 0x00ffaa)
        scene.playhead = Playhead(step: 1, startedAt: still)
        #expect(cell() == 0x33ffbb)
        scene.pulses = Pulse.all(
            step: 1, notes: [StepNotes([7], .normal), StepNotes(), StepNotes(), StepNotes()], startedAt: still)
        #expect(cell() == 0x52ffc5)
        scene.previews = [[PreviewCell(track: .melody, note: 6, step: 1, velocity: .accent)]]
        #expect(cell() == 0x40ff9a)  // 22 % of 0x00ff00
        scene.tooltip = (Tooltip(text: "###########", row: row - 1), still)
        #expect(cell() == 0xe2fff0)
    }

    @Test func `a silent note under the playhead: 40 % first, then the white`() throws {
        var scene = try scene("melody 0 .o")
        scene.document.set(.mute, on: .melody, to: true)
        #expect(drawn(scene).cell(.melody, 0, at: 1) == 0x6c0606)
        scene.playhead = Playhead(step: 1, startedAt: nil)
        #expect(drawn(scene).cell(.melody, 0, at: 1) == 0x893838)
    }

    @Test func `a ghost under the playhead: the ghost first, then the white`() throws {
        var scene = try scene("rhythm 7 .o", ghosts: true)
        scene.playhead = Playhead(step: 1, startedAt: nil)
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x554545)
    }
}
