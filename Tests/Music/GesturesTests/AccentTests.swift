import Gestures
import Grid
import Music
import TestSupport
import Testing

@Suite struct AccentTests {
    private func holding(row: Int, on drawing: [Track: String] = [:], _ milliseconds: Int = 400) -> Rig {
        var rig = Rig("C", .major, drawing)
        rig.play("0 down s2,\(row)\n\(milliseconds) up")
        return rig
    }

    @Test func `a hold on an empty step writes the first candidate as an accent`() {
        expect(.melody, "E4 ..X", in: holding(row: 5))
        expect(.chords, "B3 ..X\nG3 ..X\nE3 ..X", in: holding(row: 11))
        expect(.bass, "G2 ..o\nC2 ..X", in: holding(row: 17))
        expect(.rhythm, "CLOSED HAT ..X", in: holding(row: 19))
    }

    @Test func `a hold accents sounding notes and never removes any`() {
        expect(.melody, "F4 ..X", in: holding(row: 5, on: [.melody: "F4 ..o"]))
        expect(.chords, "A3 ..X\nF3 ..X\nC3 ..X", in: holding(row: 11, on: [.chords: "A3 ..o\nF3 ..o\nC3 ..o"]))
        expect(.chords, "A3 ..X\nF3 ..X\nC3 ..X", in: holding(row: 11, on: [.chords: "F3 ..o"]))
        expect(.bass, "A2 ..o\nD2 ..X", in: holding(row: 17, on: [.bass: "A2 ..X\nD2 ..o"]))
        expect(
            .rhythm, "SNARE ..o\nLOW TOM ..X\nKICK ..X",
            in: holding(row: 21, on: [.rhythm: "SNARE ..o\nLOW TOM ..o\nKICK ..o"]))
    }

    @Test func `a hold replaces other notes on pitched tracks only`() {
        expect(.melody, "E4 ..X", in: holding(row: 5, on: [.melody: "C4 ..o"]))
        expect(.bass, "G2 ..o\nC2 ..X", in: holding(row: 17, on: [.bass: "B2 ..o"]))
        expect(.rhythm, "CRASH ..o\nKICK ..X", in: holding(row: 21, on: [.rhythm: "CRASH ..o"]))
    }

    @Test func `a held sustain becomes a head`() {
        expect(.melody, "C4 X~X", in: holding(row: 7, on: [.melody: "C4 X~~~"]))
    }

    @Test func `accenting an accent is no undo step`() {
        let rig = holding(row: 5, on: [.melody: "E4 ..X"])
        #expect(rig.edits.isEmpty)
        #expect(rig.outcomes.isEmpty)
        #expect(rig.history.undoCount == 0)
    }

    @Test(arguments: [(399, "E4 ..o"), (400, "E4 ..X")])
    func `the threshold is 400 milliseconds`(milliseconds: Int, drawing: String) {
        expect(.melody, drawing, in: holding(row: 5, milliseconds))
    }

    @Test func `the threshold gives haptics and a tooltip while the finger is still down`() {
        var rig = Rig()
        rig.play("0 down s2,5\n399")
        #expect(rig.haptics.isEmpty && rig.tooltips.isEmpty)
        rig.wait(1)
        #expect(rig.haptics == [.heavy])
        #expect(rig.tooltips == [Tooltip(text: "ACCENT!", row: 8)])
        #expect(rig.cells.isEmpty)
        rig.play("0 up")
        #expect(rig.haptics == [.heavy])
        #expect(rig.texts == ["ACCENT!"])
        #expect(rig.outcomes == [TouchOutcome(gesture: "accent", notes: 1)])
    }

    @Test func `a late wake-up still makes a hold`() {
        var rig = Rig()
        rig.play("0 down s2,5")
        let actions = rig.machine.touch(
            Touch(id: 97, phase: .up, x: 6.5, y: 5.5), by: ClientID(1), on: TouchSurface(), at: .milliseconds(450),
            in: rig.context)
        #expect(actions.contains(.haptic(ClientID(1), .heavy)))
        #expect(actions.contains(.outcome(TouchOutcome(gesture: "accent", notes: 1))))
    }

    @Test func `a finger that rolled in its cell is a tap`() {
        var rig = Rig()
        rig.play("0 down 6.1,5.1\n50 move 6.9,5.9\n60 move 6.1,5.9\n900 up")
        expect(.melody, "E4 ..o", in: rig)
        #expect(rig.haptics == [.light])
        #expect(rig.texts == ["E4"])
    }

    @Test func `a finger that rolled in its cell after a hold is an accent`() {
        var rig = Rig()
        rig.play("0 down 6.1,5.1\n500 move 6.9,5.9\n900 up")
        expect(.melody, "E4 ..X", in: rig)
        #expect(rig.haptics == [.heavy])
    }

    @Test func `a rolled finger previews its tap`() {
        var rig = Rig()
        rig.play("0 down 6.1,5.1\n50 move 6.9,5.9")
        #expect(rig.machine.previews.map { $0.map(\.note) } == [[4]])
        #expect(rig.tooltips.isEmpty)
    }
}
