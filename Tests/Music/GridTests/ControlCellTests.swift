import Grid
import Music
import Testing

@Suite struct ControlCellTests {
    @Test func `row 0 from left to right`() {
        let expected: [Int: ControlCell] = [
            0: .musicKey, 1: .playStop, 2: .playStop, 4: .undo, 5: .redo, 7: .scale(.major), 8: .scale(.minor),
            9: .scale(.penta), 11: .root(PitchClass(0)), 12: .root(PitchClass(1)), 13: .root(PitchClass(2)),
            14: .root(PitchClass(3)), 15: .root(PitchClass(4)), 16: .root(PitchClass(5)), 17: .root(PitchClass(6)),
            18: .root(PitchClass(7)), 19: .root(PitchClass(8)), 20: .root(PitchClass(9)), 21: .root(PitchClass(10)),
            22: .root(PitchClass(11)), 24: .ghosts, 26: .tempoDown, 27: .tempo, 28: .tempoUp, 30: .lengthDown,
            31: .length, 32: .lengthUp, 34: .scrub, 35: .scrub, 36: .scrub, 37: .scrub, 40: .clear, 41: .clear,
            42: .clear, 43: .clear,
        ]
        for column in 0..<44 { #expect(ControlCell.at(column: column) == expected[column], "column \(column)") }
    }
}
