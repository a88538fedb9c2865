import Gestures
import Grid
import Instrument
import Music
import TestSupport
import Testing

@Suite struct DoubleTapTests {
    private let filled: [Track: String] = [.melody: "E4 ..o~~"]

    @Test(arguments: [
        (Track.melody, 5, "C4 ..o"), (.chords, 13, "A3 ..X\nC3 ..o"), (.bass, 17, "B2 ..o"),
        (.rhythm, 21, "CRASH ..o\nKICK ..X"),
    ])
    func `a double tap erases all notes of the step as one undo step`(track: Track, row: Int, drawing: String) {
        var rig = Rig("C", .major, [track: drawing])
        let before = rig.cells
        rig.play("0 down s2,\(row)\n60 up\n150 down s2,\(row)\n220 up")
        expect(track, "", in: rig)
        #expect(rig.texts.last == "ERASE")
        #expect(rig.haptics == [.light, .rigid])
        #expect(rig.outcomes.last == TouchOutcome(gesture: "erase", notes: 0))
        #expect(rig.history.undoCount == 1)
        rig.change { $0.apply(.undo) }
        #expect(rig.cells == before)
    }

    @Test func `the tail goes with the head`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n150 down s2,5\n220 up")
        expect(.melody, "", in: rig)
    }

    @Test(arguments: [(250, "ERASE", 1), (251, "E4", 2)])
    func `the second down must come within 250 milliseconds of the first`(gap: Int, text: String, undoSteps: Int) {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n\(gap) down s2,5\n\(gap + 60) up")
        // If it is later, it is a tap on F, which the first tap wrote and the second removes.
        #expect(rig.texts.last == (text == "ERASE" ? "ERASE" : "F4"))
        #expect(rig.history.undoCount == undoSteps)
    }

    @Test func `the second lift erases however late it is`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n150 down s2,5\n540")
        expect(.melody, "F4 ..o", in: rig)
        rig.play("0 up")
        expect(.melody, "", in: rig)
    }

    @Test func `the second tap may be another finger's`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 1a down s2,5\n60 1a up\n100 1b down s2,5\n160 1b up")
        expect(.melody, "", in: rig)
    }

    @Test func `two fingers down at once are no double tap`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 1a down s2,5\n60 1b down s2,5\n100 1a up\n160 1b up")
        #expect(rig.texts == ["F4"])
        #expect(rig.history.undoCount == 2)
    }

    @Test func `another client's tap does not complete a double tap`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 1a down s2,5\n60 1a up\n100 2a down s2,5\n160 2a up")
        #expect(rig.texts == ["F4"])
    }

    @Test(arguments: [("s2,4", true), ("s2,6", true), ("s2,3", false), ("s3,5", false), ("s1,5", false)])
    func `the second tap must be on the same step, at most one row away`(place: String, erases: Bool) {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n150 down \(place)\n220 up")
        #expect(rig.texts.contains("ERASE") == erases)
    }

    @Test func `neighbouring rows of two tracks make no double tap`() {
        var rig = Rig("C", .major, [.melody: "C4 ..o", .chords: "B3 ..o"])
        rig.play("0 down s2,7\n60 up\n150 down s2,8\n220 up")
        #expect(!rig.texts.contains("ERASE"))
    }

    @Test func `taps on an empty step are ordinary however quick`() {
        var rig = Rig()
        rig.play("0 down s2,21\n50 up\n150 down s2,21\n200 up\n300 down s2,21\n350 up\n450 down s2,21\n500 up")
        #expect(rig.texts == ["KICK", "KICK2", "LOW TOM"])
        #expect(rig.history.undoCount == 4)
        #expect(rig.cells.isEmpty)
    }

    @Test func `a run on an empty step lasts while its taps are quick`() {
        var rig = Rig()
        // The third tap, 300 ms after the second, begins a new run on a step that sounds; the fourth completes a double
        // tap.
        rig.play("0 down s2,21\n50 up\n200 down s2,21\n250 up\n500 down s2,21\n550 up\n650 down s2,21\n700 up")
        #expect(rig.texts == ["KICK", "KICK2", "LOW TOM", "ERASE"])
        #expect(rig.history.undoCount == 3)
    }

    @Test func `after an erase a new run begins`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n50 up\n100 down s2,5\n150 up\n200 down s2,5\n250 up\n300 down s2,5\n350 up")
        #expect(rig.texts == ["F4", "ERASE", "E4", "F4"])
        #expect(rig.history.undoCount == 3)
    }

    @Test func `if others edited in between there are two undo steps`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 1a down s2,5\n60 1a up\n70 2a down s20,18\n100 2a up\n150 1a down s2,5\n220 1a up")
        expect(.melody, "", in: rig)
        #expect(rig.history.undoCount == 3)
        rig.change { $0.apply(.undo) }
        expect(.melody, "F4 ..o", in: rig)
    }

    @Test func `a held second touch is an accent not an erase`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n150 down s2,5\n600 up")
        expect(.melody, "F4 ..X", in: rig)
        #expect(rig.history.undoCount == 2)
    }

    @Test func `a dragged second touch is a drag`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n150 down s2,5\n160 move s2,3\n200 up")
        expect(.melody, "A4 ..o", in: rig)
    }

    @Test func `a cancelled second touch lets the third complete the double tap`() {
        var rig = Rig("C", .major, filled)
        rig.play("0 down s2,5\n60 up\n100 down s2,5\n130 cancel\n200 down s2,5\n260 up")
        #expect(rig.texts == ["F4", "ERASE"])
        #expect(rig.history.undoCount == 1)
    }

    @Test func `an erase of a step that the first tap emptied still makes one undo step`() {
        var rig = Rig("C", .major, [.melody: "C4 ..o"])
        rig.play("0 down s2,7\n60 up\n150 down s2,7\n220 up")
        expect(.melody, "", in: rig)
        #expect(rig.texts == ["C4", "ERASE"])
        #expect(rig.outcomes == [TouchOutcome(gesture: "tap", notes: 0)])
        #expect(rig.history.undoCount == 1)
    }

    // MARK: Outside the tracks

    @Test(arguments: [
        ("10,1", "10,1", true), ("10,22", "11,23", true), ("0,23", "1,22", true), ("39,1", "38,1", true),
        ("43,1", "42,1", false),
        ("10,1", "12,1", false), ("10,1", "10,22", false),
    ])
    func `a double tap on neighbouring cells outside the tracks plays`(first: String, second: String, plays: Bool) {
        var rig = Rig()
        rig.play("0 down \(first)\n60 up\n250 down \(second)\n310 up")
        #expect(rig.isPlaying == plays)
        #expect(rig.texts == (plays ? ["PLAY"] : []))
        #expect(rig.haptics.isEmpty)
    }

    @Test func `the next double tap outside stops`() {
        var rig = Rig()
        rig.play("0 down 10,23\n60 up\n100 down 10,23\n160 up\n200 down 10,23\n260 up\n300 down 10,23\n360 up")
        #expect(rig.commands == [.transport(.play), .transport(.stop)])
        #expect(rig.tooltips == [Tooltip(text: "PLAY", row: 16), Tooltip(text: "STOP", row: 16)])
    }

    @Test(arguments: ["251 down 10,23\n300 up", "200 down 10,23\n600 up", "200 down 10,23\n250 move 14,23\n300 up"])
    func `slow held or dragged second touches outside do nothing`(second: String) {
        var rig = Rig()
        rig.play("0 down 10,23\n60 up\n" + second)
        #expect(rig.actions.isEmpty)
    }
}
