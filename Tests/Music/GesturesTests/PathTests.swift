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
}
