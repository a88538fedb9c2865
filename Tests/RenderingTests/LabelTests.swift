import Grid
import Music
import Rendering
import TestSupport
import Testing

/// What the cells stand for, against the picture and the pattern.
@Suite struct LabelTests {
    private static let pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    private static let drums = ["BD", "B2", "LT", "SD", "S2", "RS", "CP", "CH", "OH", "CR", "RD", "CB"]

    /// Of several notes in a row's cell the strongest, of equals the lowest; worked out from the rows of the grid.
    private func expected(_ track: Track, row: Int, step: Int, in cells: Cells) -> String {
        let notes = Layout.notes(of: track, row: row).filter { cells[track, $0, step] != .off }.sorted()
        for velocity in [Velocity.accent, .normal, .sustain] {
            if let note = notes.first(where: { cells[track, $0, step] == velocity }) {
                return track == .rhythm ? Self.drums[note] : Self.pitches[note]
            }
        }
        return ""
    }

    @Test(arguments: 0..<UInt64(40))
    func `each lit step cell is called by the note that is drawn, and no other cell has a name`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        let scene = random.scene()
        let labels = Labels(of: scene)
        let pattern = scene.document.pattern
        var named = Labels()
        for track in Track.allCases {
            for row in Layout.rows(of: track) {
                for step in 0..<pattern.length {
                    named[Layout.column(ofStep: step), row] =
                        expected(track, row: row, step: step, in: pattern.soundingCells)
                }
            }
        }
        #expect(labels == named, "seed \(seed)")
    }

    @Test func `changes turn one set of labels into another`() {
        var (first, second) = (RandomScene(seed: 1), RandomScene(seed: 2))
        let (before, after) = (Labels(of: first.scene()), Labels(of: second.scene()))
        var labels = before
        let isApplied = labels.apply(after.changes(from: before))
        #expect(isApplied)
        #expect(labels == after)
        let isTaken = labels.apply([.init(index: 1056, text: "C")])
        #expect(!isTaken && labels == after)
    }
}
