import Gestures
import Grid
import Music
import TestSupport
import Testing

@Suite struct ScrubTests {
    /// Swings between column 10 and 20 on melody's bottom row, one every 100 ms.
    private func swinging(_ turns: Int, in rig: Rig = Rig("C", .major, [.rhythm: "KICK XoXo"])) -> Rig {
        var rig = rig
        rig.play("0 down 10,7")
        for swing in 0...turns { rig.play("100 move \(swing % 2 == 0 ? 20 : 10),7") }
        return rig
    }

    @Test func `five changes of direction clear all tracks as one undo step`() {
        var rig = Rig(
            "C", .major, length: 8,
            [
                .melody: "E4 ..o", .chords: "C3 o", .bass: "C2 .o", .rhythm: "KICK X..............................o",
            ])
        let before = rig.cells
        rig = swinging(5, in: rig)
        #expect(rig.cells.isEmpty)
        #expect(rig.tooltips.last == Tooltip(text: "CLEARED!", row: 10))
        #expect(rig.haptics == [.rigid])
        #expect(rig.outcomes == [TouchOutcome(gesture: "clear", notes: 0)])
        #expect(rig.history.undoCount == 1)
        rig.play("50 up")
        #expect(rig.history.undoCount == 1)
        rig.change { $0.apply(.undo) }
        #expect(rig.cells == before)
    }

    @Test func `four changes clear nothing`() {
        var rig = swinging(4)
        #expect(rig.machine.scrubChanges == 4)
        rig.play("50 up")
        expect(.rhythm, "KICK XoXo", in: rig)
    }

    @Test(arguments: [(0, nil), (1, 1), (2, 2), (3, 3), (5, 5)] as [(Int, Int?)])
    func `the changes of direction are shown`(turns: Int, shown: Int?) {
        var rig = swinging(turns)
        #expect(rig.machine.scrubChanges == shown)
        rig.play("50 up")
        #expect(rig.machine.scrubChanges == nil)
    }

    @Test func `one change still writes`() {
        var rig = swinging(1)
        #expect(!rig.machine.previews.isEmpty)
        rig.play("50 up")
        #expect(rig.outcomes.map(\.gesture) == ["arpeggio"])
    }

    @Test func `after two changes the touch writes nothing, whatever follows`() {
        var rig = swinging(2)
        #expect(rig.machine.previews.isEmpty)
        rig.play("2000 move 12,3\n2100 move 30,3\n2200 up")
        #expect(rig.edits.isEmpty)
        #expect(!rig.haptics.contains(.medium))
    }

    @Test func `a touch that cleared does nothing more`() {
        var rig = swinging(5)
        rig.play("100 2a down s1,21\n200 2a up")
        rig.play("100 move 10,7\n200 move 20,7\n300 move 10,7\n400 move 20,7\n500 move 10,7\n600 move 20,7\n700 up")
        expect(.rhythm, "KICK .o", in: rig)
    }

    @Test(arguments: [(1.99, 0), (2.0, 1)])
    func `a change counts when the finger has come back two columns`(back: Double, changes: Int) {
        var rig = Rig()
        rig.play("0 down 10,7\n50 move 14.5,7.5\n100 move \(14.5 - back),7.5")
        #expect((rig.machine.scrubChanges ?? 0) == changes)
    }

    @Test(arguments: [(1.99, 0), (2.0, 1)])
    func `a swing must be two columns long`(length: Double, changes: Int) {
        var rig = Rig()
        // Out to the right and far back to the left.
        rig.play("0 down 10,7\n50 move \(10.5 + length),7.5\n100 move 6,7")
        #expect((rig.machine.scrubChanges ?? 0) == changes)
    }

    @Test func `trembling on the way does not count`() {
        var rig = Rig()
        rig.play("0 down 10,7")
        for step in 0..<20 { rig.play("10 move \(11.0 + Double(step) + (step % 2 == 0 ? 0 : -1.9)),7.5") }
        #expect(rig.machine.scrubChanges == nil)
    }

    @Test func `swings beyond the visible steps count`() {
        // The track ends at column 11, but the finger swings between 20 and 30.
        var rig = Rig("C", .major, length: 8, [.rhythm: "KICK o"])
        rig.play("0 down 10,7\n50 move 30,7\n100 move 20,7\n150 move 30,7\n200 move 20,7\n250 move 30,7\n300 move 20,7")
        #expect(rig.cells.isEmpty)
    }

    @Test(arguments: [(499, 4), (500, 1)])
    func `half a second without a move resets the count`(pause: Int, changes: Int) {
        var rig = swinging(3)
        rig.play("\(pause) move 20,7")
        #expect(rig.machine.scrubChanges == changes)
    }

    @Test func `any move ends a rest`() {
        var rig = swinging(3)
        rig.play("300 move 10.1,7.5\n600 move 10,7\n900 move 20,7")
        #expect(rig.machine.scrubChanges == 4)
        rig.wait(500)
        #expect(rig.machine.scrubChanges == 0)
    }

    @Test func `a report of the same place is not a move`() {
        var rig = swinging(3)
        rig.play("300 move 10,7\n499 move 10,7\n500")
        #expect(rig.machine.scrubChanges == 0)
    }

    @Test func `an empty pattern is cleared without an undo step`() {
        let rig = swinging(5, in: Rig())
        #expect(rig.texts.last == "CLEARED!")
        #expect(rig.outcomes.isEmpty)
        #expect(rig.history.undoCount == 0)
    }

    @Test func `two touches are counted separately`() {
        var rig = Rig("C", .major, [.rhythm: "KICK o"])
        rig.play("0 1a down 10,7\n0 1b down 10,13")
        for swing in 0...3 {
            let column = swing % 2 == 0 ? 20 : 10
            rig.play("50 1a move \(column),7\n100 1b move \(column),13")
        }
        #expect(rig.machine.scrubChanges == 3)
        expect(.rhythm, "KICK o", in: rig)
    }

    @Test func `the place of the lift counts too`() {
        var rig = swinging(4)
        rig.play("100 up 10,7")
        #expect(rig.cells.isEmpty)
        #expect(rig.outcomes == [TouchOutcome(gesture: "clear", notes: 0)])
    }
}
