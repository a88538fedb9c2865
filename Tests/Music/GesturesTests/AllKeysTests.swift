import Gestures
import Grid
import Music
import TestSupport
import Testing

/// Every gesture from every row of every track, in all eight directions, held or not, compared with a second
/// implementation of the rules.
@Suite struct AllKeysTests {
    @Test(arguments: Scale.allCases, ["C", "D#", "F#", "A"])
    func `every drag previews and writes what the table says, as one undo step with its name`(
        scale: Scale, root: String
    ) {
        let oracle = GestureOracle(root: PitchClass(name: root)!.number, scale: scale)
        for track in Track.allCases {
            for row in GestureOracle.rows(of: track) {
                for (index, direction) in GestureOracle.Direction.allCases.enumerated() {
                    for held in [false, true] {
                        check(
                            .init(
                                track: track, row: row, step: direction.columns < 0 ? 14 : 9, direction: direction,
                                distance: 1 + (row + 2 * index + (held ? 1 : 0)) % 5, held: held),
                            oracle, in: root, scale)
                    }
                }
            }
        }
    }

    private func check(_ drag: GestureOracle.Drag, _ oracle: GestureOracle, in root: String, _ scale: Scale) {
        // No finger goes further off the grid.
        let finger = drag.row + drag.distance * drag.direction.rows
        guard (0..<24).contains(finger) else { return }
        var rig = Rig(root, scale)
        let column = Layout.column(ofStep: drag.step)
        let target = Layout.column(ofStep: drag.step + drag.distance * drag.direction.columns)
        rig.play("0 down \(column),\(drag.row)\n\(drag.held ? 450 : 50) move \(target),\(finger)")
        var expected = Cells()
        for (step, notes) in oracle.written(by: drag) {
            for (note, velocity) in notes { expected[drag.track, note, step] = velocity }
        }
        var previewed = Cells()
        for cell in rig.machine.previews.joined() { previewed[cell.track, cell.note, cell.step] = cell.velocity }
        #expect(rig.cells.isEmpty && previewed == expected, "\(drag) in \(root) \(scale.name)")

        rig.play("300 up")
        #expect(rig.cells == expected && rig.machine.previews.isEmpty, "\(drag) in \(root) \(scale.name)")
        let text = oracle.text(of: drag) { noteName(drag.track, $0) }
        #expect(rig.texts.filter { $0 != "ACCENT!" } == [text])
        #expect(text.count <= 11 && text.allSatisfy { PixelFont.glyph(of: $0) != nil })
        #expect(rig.haptics == (drag.held ? [.heavy, .medium] : [.medium]))
        let gesture = drag.track == .melody && drag.direction.columns == 0 ? "slide" : text.lowercased()
        #expect(rig.outcomes == [TouchOutcome(gesture: gesture, notes: expected.count)])
        #expect(rig.history.undoCount == 1 && rig.edits.count == 1)
        rig.change { $0.apply(.undo) }
        #expect(rig.cells.isEmpty)
    }

    @Test(arguments: Scale.allCases, PitchClass.allCases)
    func `in every key, taps and holds write notes of the scale, and taps cycle`(scale: Scale, root: PitchClass) {
        let oracle = GestureOracle(root: root.number, scale: scale)
        for track in Track.allCases {
            for row in GestureOracle.rows(of: track) {
                var rig = Rig(root.name, scale)
                rig.play("0 down s3,\(row)\n100 up\n1000")
                let first = oracle.note(track, row: row)
                #expect(rig.cells[track, first, 3] == .normal)
                #expect(rig.texts == [noteName(track, first)])
                // A row has three notes at most: after as many taps as it has candidates the step is empty.
                var taps = 1
                while !rig.cells.isEmpty, taps < 5 {
                    #expect(!track.isPitched || rig.cells[track, 3].notes.allSatisfy { oracle.notes.contains($0) })
                    rig.play("0 down s3,\(row)\n100 up\n1000")
                    taps += 1
                }
                #expect(rig.cells.isEmpty)
                rig.play("0 down s3,\(row)\n400 up")
                #expect(rig.cells[track, first, 3] == .accent)
            }
        }
    }
}
