import Gestures
import Grid
import Music
import TestSupport
import Testing

/// What a tap would write is previewed from its `down` on.
@Suite struct TapPreviewTests {
    /// The notes that are previewed while a finger is down.
    private func previewed(_ rig: Rig) -> [[Int]] { rig.machine.previews.map { $0.map(\.note).sorted() } }

    @Test func `a tap is previewed from its down on`() {
        var rig = Rig()
        rig.play("0 down s2,5")
        #expect(rig.machine.previews == [[PreviewCell(track: .melody, note: 4, step: 2, velocity: .normal)]])
        rig.play("100 up")
        #expect(rig.machine.previews.isEmpty)
        expect(.melody, "E4 ..o", in: rig)
    }

    @Test func `a tap that removes previews nothing until it is an accent`() {
        var rig = Rig("C", .major, [.melody: "G4 ..o"])
        rig.play("0 down s2,4\n399")
        #expect(rig.machine.previews.isEmpty)
        rig.play("1")
        #expect(rig.machine.previews == [[PreviewCell(track: .melody, note: 7, step: 2, velocity: .accent)]])
    }

    @Test func `the second of two taps that erase previews nothing`() {
        var rig = Rig("C", .major, [.melody: "E4 ..o"])
        rig.play("0 down s2,5\n50 up")
        expect(.melody, "F4 ..o", in: rig)
        rig.play("50 down s2,5")
        #expect(rig.machine.previews.isEmpty)
    }

    @Test func `the second of two taps on an empty step previews what it writes`() {
        var rig = Rig()
        rig.play("0 down s2,5\n50 up\n100 down s2,5")
        #expect(previewed(rig) == [[5]])
    }

    @Test func `a tap's preview follows edits of its step, the key and the length`() {
        var rig = Rig()
        rig.play("0 down s9,5")
        #expect(previewed(rig) == [[4]])
        rig.change { document in
            var cells = document.pattern.cells
            cells[.melody, 4, 9] = .normal
            document.edit(cells)
        }
        #expect(previewed(rig) == [[5]])
        rig.change { $0.set(.root, to: .choice(PitchClass(1))) }
        #expect(previewed(rig) == [[5]])
        rig.change { $0.apply(.undo) }
        #expect(previewed(rig) == [[5]])
        rig.change { $0.set(.length, to: .number(8)) }
        #expect(previewed(rig) == [])
    }

    @Test func `chords and bass preview all that a tap writes`() {
        var rig = Rig()
        rig.play("0 down s0,13")
        #expect(previewed(rig) == [[0, 4, 7]])
    }

    @Test func `a scrub of two changes previews nothing, not even back in its cell`() {
        var rig = Rig()
        rig.play("0 down s2,5\n50 move s6,5\n100 move s2,5\n150 move s6,5\n200 move s2,5")
        #expect(rig.machine.scrubChanges == 3)
        #expect(rig.machine.previews.isEmpty)
    }

    @Test func `a tap previews what it writes, on every row and whatever the step holds`() {
        for track in Track.allCases {
            for row in Layout.rows(of: track) {
                for note in 0..<12 {
                    var rig = Rig()
                    rig.change { document in
                        var cells = document.pattern.cells
                        cells[track, note, 3] = .normal
                        document.edit(cells)
                    }
                    rig.play("0 down s3,\(row)")
                    let previews = rig.machine.previews.joined()
                    let before = rig.cells[track, 3].notes
                    rig.play("100 up")
                    let written = rig.cells[track, 3].notes
                    let isRemoval = written.subtracting(before).isEmpty
                    #expect(
                        isRemoval
                            ? previews.isEmpty
                            : NoteSet(previews.map(\.note))
                                == (track == .rhythm ? written.subtracting(before) : written),
                        "\(track) row \(row) note \(note)")
                }
            }
        }
    }
}
