import Gestures
import Grid
import Music
import TestSupport
import Testing

/// What a drag leaves of older notes, and where it ends; ``AllKeysTests`` has what each drag writes.
@Suite struct DragTests {
    /// Drags from one place to another, more slowly than a swipe.
    private func drag(from start: String, to end: String, in rig: inout Rig) {
        rig.play("0 down \(start)\n50 move \(end)\n350 up")
    }

    @Test func `on pitched tracks a drag replaces the notes of the touched steps`() {
        var rig = Rig("C", .major, [.melody: "B4 ooooooo", .chords: "A3 oo\nD3 oX"])
        drag(from: "s1,7", to: "s3,7", in: &rig)
        rig.wait(1000)
        drag(from: "s1,13", to: "s1,11", in: &rig)
        expect(.melody, "B4 o...ooo\nE4 ...o\nD4 ..o\nC4 .o", in: rig)
        expect(.chords, "A3 o\nG3 .o\nE3 .o\nD3 o\nC3 .o", in: rig)
    }

    @Test func `on rhythm a drag layers`() {
        var rig = Rig("C", .major, [.rhythm: "CRASH oooo\nSNARE XXXX\nKICK X"])
        drag(from: "s0,21", to: "s3,21", in: &rig)
        expect(.rhythm, "CRASH oooo\nSNARE XXXX\nKICK oooo", in: rig)
    }

    @Test func `writing over a head removes its tail`() {
        var rig = Rig("C", .major, [.chords: "G3 .X~~~~\nC3 .X~~~~"])
        drag(from: "s0,13", to: "s2,13", in: &rig)
        // Step 2 now holds the chord's fifth, G, which is as long as the drag made it.
        expect(.chords, "G3 ..o\nE3 .o\nC3 o", in: rig)
    }

    @Test func `a drag that changes nothing is no undo step and keeps the redo side`() {
        var rig = Rig("C", .major, [.rhythm: "KICK oooo"])
        rig.play("0 down s8,18\n100 up")
        rig.change { $0.apply(.undo) }
        rig.forgetActions()
        drag(from: "s0,21", to: "s3,21", in: &rig)
        #expect(rig.history.undoCount == 0)
        #expect(rig.history.redoCount == 1)
        #expect(rig.outcomes.isEmpty)
        #expect(rig.edits.isEmpty)
    }

    @Test func `a drag stays on its track wherever the finger goes`() {
        var rig = Rig()
        // From melody's bottom row down into chords: the row stays melody's lowest.
        drag(from: "s2,6", to: "s2,12", in: &rig)
        expect(.melody, "C4 ..o", in: rig)
        expect(.chords, "", in: rig)
    }

    @Test func `a drag stays within the visible steps`() {
        var rig = Rig("C", .major, length: 12)
        drag(from: "s10,21", to: "43,21", in: &rig)
        rig.wait(1000)
        drag(from: "s1,18", to: "0,18", in: &rig)
        expect(.rhythm, "CRASH oo\nKICK ..........oo", in: rig)
    }

    @Test func `moves off the grid are clamped to it`() {
        var rig = Rig()
        rig.play("0 down s30,21\n50 move 900.0,21.5\n100 move 900.0,21.5\n350 up")
        expect(.rhythm, "KICK ..............................oo", in: rig)
        rig.wait(1000)
        rig.play("0 down s1,7\n50 move 5.5,-70.0\n350 up")
        expect(.melody, "B4 .o", in: rig)
    }
}
