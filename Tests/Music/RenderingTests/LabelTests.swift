import Grid
import Music
import Rendering
import TestSupport
import Testing

/// The labels of the cells, compared with the pattern.
@Suite struct LabelTests {
    private static let pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    private static let drums = ["BD", "B2", "LT", "SD", "S2", "RS", "CP", "CH", "OH", "CR", "RD", "CB"]

    /// The strongest of several notes in a row's cell, of equals the lowest; muted ones only without others; computed
    /// from the rows of the grid.
    private func expected(_ track: Track, row: Int, step: Int, in cells: Cells, muted: [String]) -> String {
        let all = Layout.notes(of: track, row: row).filter { cells[track, $0, step] != .off }.sorted()
        let heard = all.filter { track != .rhythm || !muted.contains(Drum.allCases[$0].name) }
        let notes = heard.isEmpty ? all : heard
        for velocity in [Velocity.accent, .normal, .sustain] {
            if let note = notes.first(where: { cells[track, $0, step] == velocity }) {
                return track == .rhythm ? Self.drums[note] : Self.pitches[note]
            }
        }
        return ""
    }

    private static let values: [[Int: String]] = [
        [-3: "-3", -6: "-6", -9: "-9", -12: "12", -18: "18"], [90: "90", 75: "75", 50: "50", 25: "25", 10: "10"],
        [
            1: "12", 2: "22", 3: "13", 4: "23", 5: "33", 6: "14", 7: "24", 8: "34", 9: "44", 36: "1F", 37: "N1",
            38: "F", 39: "NF",
        ], [2: "X2", 3: "X3", 4: "X4", 6: "X6", 8: "X8"],
        [12: "+1", 25: "+2", 37: "+3", 50: "+5", -12: "-1", -25: "-2", -37: "-3"],
    ]

    /// The first value that is not the default, of the cell's notes that start there, or else of its sustained notes.
    private func expected(_ lens: Lens, _ track: Track, row: Int, step: Int, in pattern: Pattern) -> String {
        guard lens.rawValue < Self.values.count else { return "" }
        let length = pattern[track].length ?? pattern.length
        let value = NoteValue.allCases[lens.rawValue]
        let cells = pattern.sounding(track)
        let notes = Layout.notes(of: track, row: row).filter { cells[$0, step] != .off }
        let heads = notes.filter { cells[$0, step] != .sustain }
        for note in heads.isEmpty ? notes : heads {
            var head = step
            while cells[note, head] == .sustain { head = (head + length - 1) % length }
            if let text = Self.values[lens.rawValue][cells[head][whole: note][value]] { return text }
        }
        return ""
    }

    @Test(arguments: 0..<UInt64(40))
    func `each lit step cell is labelled with its drawn note, and no other cell has a label`(seed: UInt64) {
        var random = RandomScene(seed: seed)
        let scene = random.scene()
        let labels = Labels(of: scene)
        let pattern = scene.document.pattern
        let muted = scene.document[.mutedDrums, .rhythm].names!
        var named = Labels()
        for track in Track.allCases {
            for row in Layout.rows(of: track) {
                for step in 0..<(pattern[track].length ?? pattern.length) {
                    if let lens = scene.lenses[track] {
                        named[Layout.column(ofStep: step), row] =
                            expected(lens, track, row: row, step: step, in: pattern)
                        continue
                    }
                    named[Layout.column(ofStep: step), row] =
                        expected(track, row: row, step: step, in: pattern.soundingCells, muted: muted)
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
        let isTaken = labels.apply([.init(index: 1056, value: "C")])
        #expect(!isTaken && labels == after)
    }
}
