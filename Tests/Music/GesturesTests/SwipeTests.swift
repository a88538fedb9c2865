import Gestures
import Grid
import Music
import TestSupport
import Testing

@Suite struct SwipeTests {
    /// A note on rhythm, and two earlier edits: one kept, one undone.
    private var edited: Rig {
        var rig = Rig("C", .major, [.rhythm: "KICK o"])
        rig.play("0 down s8,18\n100 up\n500 down s9,18\n600 up\n2000")
        rig.change { $0.apply(.undo) }
        rig.forgetActions()
        return rig
    }

    private let leftSwipes = "0 down 20,7\n50 move 14,7\n100 up\n200 down 20,7\n250 move 14,7\n300 up"
    private let rightSwipes = "0 down 14,7\n50 move 20,7\n100 up\n200 down 14,7\n250 move 20,7\n300 up"

    @Test func `a double swipe to the left undoes as if it had written nothing`() {
        var rig = edited
        var expected = rig.document
        expected.apply(.undo)
        rig.play(leftSwipes)
        #expect(rig.document == expected)
        #expect(rig.history.undoCount == 0)
        #expect(rig.history.redoCount == 2)
        #expect(rig.tooltips.last == Tooltip(text: "<<UNDO", row: 10, what: "the notes of Rhythm"))
        #expect(rig.haptics == [.medium, .rigid])
        #expect(rig.outcomes.last == TouchOutcome(gesture: "undo", notes: 0))
        #expect(rig.machine.previews.isEmpty)
    }

    @Test func `a double swipe to the right redoes as if it had written nothing`() {
        var rig = edited
        var expected = rig.document
        expected.apply(.redo)
        rig.play(rightSwipes)
        #expect(rig.document == expected)
        #expect(rig.history.undoCount == 2)
        #expect(rig.history.redoCount == 0)
        #expect(rig.texts.last == "REDO>>")
        #expect(rig.outcomes.last == TouchOutcome(gesture: "redo", notes: 0))
    }

    @Test func `a double swipe leaves no trace in a full history either`() {
        var rig = Rig()
        for step in 0..<120 {
            rig.change { document in
                var cells = document.pattern.cells
                cells[.rhythm, step % 12, step % 31] = step < 60 ? .normal : .accent
                document.edit(cells)
            }
        }
        #expect(rig.history.undoCount == 100)
        var expected = rig.document
        expected.apply(.undo)
        rig.play(leftSwipes)
        #expect(rig.document == expected)
    }

    @Test(arguments: [
        // too narrow, by the finger's real place
        "0 down 14.5,7.5\n50 move 8.6,7.5\n100 up\n200 down 14.5,7.5\n250 move 8.0,7.5\n300 up",
        "0 down 14.5,7.5\n50 move 8.0,7.5\n100 up\n200 down 14.5,7.5\n250 move 8.6,7.5\n300 up",
        // too slow
        "0 down 20,7\n50 move 14,7\n301 up\n400 down 20,7\n450 move 14,7\n500 up",
        "0 down 20,7\n50 move 14,7\n100 up\n200 down 20,7\n250 move 14,7\n501 up",
        // too far apart
        "0 down 20,7\n50 move 14,7\n100 up\n400 down 20,7\n450 move 14,7\n601 up",
        // the second begins before the first ends
        "0 1a down 20,7\n50 1a move 14,7\n60 1b down 20,7\n100 1a up\n150 1b move 14,7\n200 1b up",
        // not the same way
        "0 down 20,7\n50 move 14,7\n100 up\n200 down 14,7\n250 move 20,7\n300 up",
        // not the same track
        "0 down 20,7\n50 move 14,7\n100 up\n200 down 20,8\n250 move 14,8\n300 up",
        // not the same client
        "0 1a down 20,7\n50 1a move 14,7\n100 1a up\n200 2a down 20,7\n250 2a move 14,7\n300 2a up",
        // another edit in between
        "0 1a down 20,7\n50 1a move 14,7\n100 1a up\n110 2a down s31,18\n150 2a up\n200 1a down 20,7\n250 1a move 14,7\n300 1a up",
        // not horizontal
        "0 down 20,7\n50 move 14,7\n100 up\n200 down 20,7\n250 move 14,2\n300 up",
    ])
    func `otherwise they are two ordinary drags`(timeline: String) {
        var rig = edited
        rig.play(timeline)
        #expect(!rig.texts.contains("<<UNDO") && !rig.texts.contains("REDO>>"))
        #expect(rig.history.redoCount == 0)
        #expect(rig.history.undoCount > 1)
    }

    @Test(arguments: [
        // just wide enough: 6 columns
        "0 down 14.5,7.5\n50 move 8.5,7.5\n100 up\n200 down 14.5,7.5\n250 move 8.5,7.5\n300 up",
        // just quick enough: 300 ms
        "0 down 20,7\n50 move 14,7\n300 up\n300 down 20,7\n350 move 14,7\n600 up",
        // just close enough: 500 ms
        "0 down 20,7\n50 move 14,7\n100 up\n400 down 20,7\n450 move 14,7\n600 up",
        // another finger of the client
        "0 1a down 20,7\n50 1a move 14,7\n100 1a up\n200 1b down 25,3\n250 1b move 14,3\n300 1b up",
        // beyond the visible steps
        "0 down 6,7\n50 move 0,7\n100 up\n200 down 9,7\n250 move 0,7\n300 up",
        // a control in between is no edit
        "0 1a down 20,7\n50 1a move 14,7\n100 1a up\n110 2a down 0,10\n150 2a up\n200 1a down 20,7\n250 1a move 14,7\n300 1a up",
    ])
    func `just within each limit they are a double swipe`(timeline: String) {
        var rig = edited
        rig.play(timeline)
        #expect(rig.texts.contains("<<UNDO"))
        #expect(rig.history.undoCount == 0)
        #expect(rig.history.redoCount == 2)
    }

    @Test func `with nothing to undo both are ordinary drags`() {
        var rig = Rig()
        rig.play(leftSwipes)
        #expect(rig.texts == ["ARPEGGIO"])
        #expect(rig.haptics == [.medium, .medium])
        #expect(rig.history.undoCount == 1)
        #expect(rig.cells.count == 7)
    }

    @Test func `what the first swipe dropped from the redo side can be redone`() {
        var rig = Rig()
        rig.play("0 down s8,18\n100 up\n2000")
        rig.change { $0.apply(.undo) }
        rig.play(rightSwipes)
        expect(.rhythm, "CRASH ........o", in: rig)
        expect(.melody, "", in: rig)
        #expect(rig.history.undoCount == 1)
    }

    @Test func `a third swipe begins a new pair after a double swipe`() {
        var rig = edited
        rig.play("0 down s8,19\n100 up\n2000")
        rig.forgetActions()
        rig.play(leftSwipes)
        rig.play("100 down 20,7\n150 move 14,7\n200 up")
        #expect(rig.texts == ["ARPEGGIO", "<<UNDO", "ARPEGGIO"])
        #expect(rig.history.undoCount == 2)
        rig.play("100 down 20,7\n150 move 14,7\n200 up")
        #expect(rig.texts.last == "<<UNDO")
        #expect(rig.history.undoCount == 0)
    }

    @Test func `a third swipe begins a new pair also after two ordinary ones`() {
        var rig = Rig()
        rig.play(leftSwipes)
        rig.play("100 down 20,7\n150 move 14,7\n200 up")
        #expect(rig.texts == ["ARPEGGIO"])
    }

    @Test func `a first swipe that changed nothing is not retracted`() {
        var rig = Rig()
        rig.play("0 down s8,18\n100 up\n1000 down 14,21\n1100 move 20,21\n1500 up\n3000")
        #expect(rig.history.undoCount == 2)
        // The same roll is there already: both swipes write nothing, and the roll itself is undone.
        rig.play("0 down 20,21\n50 move 14,21\n100 up\n200 down 20,21\n250 move 14,21\n300 up")
        #expect(rig.texts.last == "<<UNDO")
        expect(.rhythm, "CRASH ........o", in: rig)
        #expect(rig.history.undoCount == 1)
        #expect(rig.history.redoCount == 1)
    }

    @Test func `a scrub is no swipe`() {
        var rig = edited
        rig.play("0 down 20,7\n50 move 14,7\n100 up\n")
        rig.play("10 down 20,7\n30 move 23,7\n40 move 20,7\n50 move 23,7\n60 move 14,7\n90 up")
        #expect(!rig.texts.contains("<<UNDO"))
    }
}
