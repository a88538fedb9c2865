import Gestures
import Grid
import Music
import Testing

@Suite struct PathTests {
    @Test func `separators belong to the step on their left`() {
        var rig = Rig()
        rig.play("0 down 12,5\n100 up\n600 down 21,21\n650 move 22,21\n950 up")
        expect(.melody, "E4 .......o", in: rig)
        expect(.rhythm, "KICK ...............oo", in: rig)
    }

    @Test func `places before the drag began do not count`() {
        var rig = Rig()
        // On a fine display (8 px a cell) the finger may be in the next cell without dragging yet: 9 px, then 12.
        rig.surfaces[ClientID(1)] = TouchSurface(cellPixels: 8)
        rig.play("0 down 6.9,21.5\n50 move 5.9,21.5\n100 move 8.9,21.5\n400 up")
        expect(.rhythm, "KICK ..ooo", in: rig)
    }

    @Test func `behind the start a phrase keeps its note`() {
        var rig = Rig()
        rig.play("0 down s4,7\n20 move s2,5\n150 move s6,5\n400 up")
        //  steps 2 3 behind the start: C; 4 to 6 the line 0, 2, 4
        expect(.melody, "E4 ......o\nD4 .....o\nC4 ..ooo", in: rig)
    }

    @Test func `beyond the finger a phrase keeps the finger's note`() {
        var rig = Rig()
        rig.play("0 down s0,7\n20 move s2,5\n60 move s4,3\n150 move s2,3\n400 up")
        //  0, 4.5, 9 to the finger in step 2; steps 3 and 4 lie beyond it
        expect(.melody, "A4 ..ooo\nF4 .o\nC4 o", in: rig)
    }

    @Test func `a line back to the start's step is vertical`() {
        var rig = Rig()
        rig.play("0 down s2,7\n20 move s4,5\n100 move s2,3\n400 up")
        expect(.melody, "A4 ...oo\nC4 ..o", in: rig)
    }

    @Test func `a line back from the left to the start's own step stands upright, too`() {
        var rig = Rig()
        rig.play("0 down s4,7\n20 move s2,5\n100 move s4,3\n400 up")
        expect(.melody, "A4 ..oo\nC4 ....o", in: rig)
    }
}
