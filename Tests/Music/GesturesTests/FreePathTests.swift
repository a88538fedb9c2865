import Gestures
import Grid
import Instrument
import Music
import TestSupport
import Testing

/// Fingers that turn round, in any key, compared with what the page on gestures says about the order of touching.
@Suite struct FreePathTests {
    private static let seeds = 0..<UInt64(400)

    /// Every place from the first to the last, one after the other.
    private static func places(_ turns: [Int]) -> [Int] {
        zip(turns, turns.dropFirst()).reduce(into: [turns[0]]) { places, turn in
            places += stride(from: turn.0, through: turn.1, by: turn.0 < turn.1 ? 1 : -1).dropFirst()
        }
    }

    /// A key, a track, and one of its rows.
    private static func anywhere(using random: inout SeededGenerator) -> (key: Key, track: Track, row: Int) {
        let key = Key(
            root: PitchClass(.random(in: 0..<12, using: &random)),
            scale: Scale.allCases.randomElement(using: &random)!)
        let track = Track.allCases.randomElement(using: &random)!
        return (key, track, GestureOracle.rows(of: track).randomElement(using: &random)!)
    }

    @Test func `a finger that turns round in its row writes the steps in the order in which it touched them first`() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let (key, track, row) = Self.anywhere(using: &random)
            let start = Int.random(in: 4...27, using: &random)
            let reach = Int.random(in: 2...4, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            // Beyond the start, back to it, or not as far.
            let end = start + Int.random(in: -4...4, using: &random)
            let held = Bool.random(using: &random)
            var path: [Int] = []
            for step in Self.places([start, start + reach, end]) where !path.contains(step) { path.append(step) }
            let drag = GestureOracle.Drag(
                track: track, row: row, step: start, direction: end < start ? .left : .right, distance: path.count - 1,
                held: held, path: path)
            var rig = Rig(key.root.name, key.scale)
            let begin = held ? 450 : 50
            rig.play(
                "0 down s\(start),\(row)\n\(begin) move s\(start + reach),\(row)\n\(begin + 150) move s\(end),\(row)\n"
                    + "\(begin + 450) up")
            var expected = Cells()
            for (step, notes) in GestureOracle(root: key.root.number, scale: key.scale).written(by: drag) {
                for (note, velocity) in notes { expected[track, note, step] = velocity }
            }
            #expect(rig.cells == expected, "seed \(seed): \(drag)\n\(rig.cells.drawing)")
        }
    }

    @Test
    func `a diagonal drag that goes anywhere writes the line from its start to the finger on all steps it touched`() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let (key, track, row) = Self.anywhere(using: &random)
            let column = Int.random(in: 12...28, using: &random)
            let held = Bool.random(using: &random)
            // Diagonally at first, far enough that it remains so.
            let distance = Int.random(in: 2...4, using: &random)
            let isRightwards = Bool.random(using: &random)
            let isDownwards = row + distance < 24 && Bool.random(using: &random) || row < distance
            var places = [
                (
                    column: column + (isRightwards ? distance : -distance),
                    row: row + (isDownwards ? distance : -distance)
                )
            ]
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                places.append((.random(in: 4...38, using: &random), .random(in: 0...23, using: &random)))
            }
            // A finger that turns twice scrubs.
            let columns = places.map(\.column)
            let isScrub = columns.count == 3 && (columns[1] - columns[0]) * (columns[2] - columns[1]) <= 0
            if isScrub { continue }
            var rig = Rig(key.root.name, key.scale)
            rig.play("0 down \(column),\(row)\n\(held ? 450 : 50)")
            for place in places { rig.play("0 move \(place.column),\(place.row)\n120") }
            rig.play("200 up")

            let steps = Self.places([column] + columns).map { Layout.step(atColumn: $0)! }
            let touched = steps.reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
            let phrase = GestureOracle(root: key.root.number, scale: key.scale).phrase(
                on: track, from: (steps[0], row), to: (steps.last!, places.last!.row), touching: touched)
            var expected = Cells()
            for (step, note) in phrase { expected[track, note, step] = held && step == steps[0] ? .accent : .normal }
            #expect(rig.cells == expected, "seed \(seed) on \(track): \(places)\n\(rig.cells.drawing)")
        }
    }

    /// A bank's pads are in four columns and two rows; the first row of each on the grid.
    private static let rows: [(bank: SlotBank, rows: [Int])] = [
        (.track(.melody), [2, 5]), (.track(.chords), [8, 11]), (.track(.bass), [14, 16]), (.track(.rhythm), [18, 20]),
        (.scenes, [22, 23]),
    ]

    @Test func `a finger on the pads chains those that it touches in order, up to 16, and one alone is launched`() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let (bank, rows) = Self.rows.randomElement(using: &random)!
            var (column, line) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<2, using: &random))
            var chain = [4 * line + column]
            var timeline = "0 down \(40 + column),\(rows[line])"
            for move in 0..<Int.random(in: 0...20, using: &random) {
                if Bool.random(using: &random) {
                    column = max(0, min(3, column + (Bool.random(using: &random) ? 1 : -1)))
                } else {
                    line = 1 - line
                }
                // Left of the first pads is on them.
                let x = column == 0 && Bool.random(using: &random) ? 36 : 40 + column
                timeline += "\n\(20 * (move + 1)) move \(x),\(rows[line])"
                if chain.last != 4 * line + column { chain.append(4 * line + column) }
            }
            var rig = Rig()
            rig.isPlaying = true
            rig.play(timeline + "\n590 up")
            let expected: LaunchRequest =
                chain.count == 1 ? .launch(bank, chain[0], .queued) : .chain(bank, Array(chain.prefix(16)))
            #expect(rig.commands == [.launch(expected)], "seed \(seed): \(timeline)")
        }
    }
}
