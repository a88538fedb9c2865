import Gestures
import Grid
import Music
import TestSupport
import Testing

@Suite struct TapTests {
    private func tapping(
        _ track: Track, row: Int, times: Int, in rig: Rig = Rig(), holding milliseconds: Int = 100
    ) -> [[String]] {
        var rig = rig
        return (0..<times).map { _ in
            rig.play("0 down s2,\(row)\n\(milliseconds) up\n1500")
            return rig.cells.drawing(of: track)
        }
    }

    @Test func `the E/F row gives E, then F, then nothing`() {
        #expect(tapping(.melody, row: 5, times: 4) == [["E4 ..o"], ["F4 ..o"], [], ["E4 ..o"]])
    }

    @Test(arguments: [(2, "B4"), (3, "A4"), (4, "G4"), (6, "D4"), (7, "C4")])
    func `other melody rows toggle`(row: Int, name: String) {
        #expect(tapping(.melody, row: row, times: 3) == [["\(name) ..o"], [], ["\(name) ..o"]])
    }

    @Test(arguments: [
        (21, ["KICK", "KICK2", "LOW TOM"]),
        (20, ["SNARE", "SNARE2", "RIMSHOT"]),
        (19, ["CLOSED HAT", "CLAP", "OPEN HAT"]),
        (18, ["CRASH", "RIDE", "COWBELL"]),
    ])
    func `a drum row walks through its three drums, the primary first`(row: Int, drums: [String]) {
        #expect(tapping(.rhythm, row: row, times: 4) == drums.map { ["\($0) ..o"] } + [[]])
    }

    @Test func `a hold keeps sounding notes' values, a tap writes defaults, and neither changes other drums`() {
        var pattern = Pattern()
        pattern[.melody, 2][whole: 4] = Note(.normal, [.chance: 50])
        for drum in [0, 3] { pattern[.rhythm, 2][whole: drum] = Note(.normal, [.chance: 25]) }
        var rig = Rig(Document(pattern: pattern))
        rig.play("0 down s2,5\n500 up\n1500")
        #expect(rig.cells[.melody, 2][whole: 4] == Note(.accent, [.chance: 50]))
        rig.play("0 down s2,5\n100 up\n1500")
        #expect(rig.cells[.melody, 2][whole: 5] == Note(.normal))
        rig.play("0 down s2,21\n100 up\n1500")
        #expect(rig.cells[.rhythm, 2][whole: 1] == Note(.normal) && rig.cells[.rhythm, 2][whole: 0] == Note())
        #expect(rig.cells[.rhythm, 2][whole: 3] == Note(.normal, [.chance: 25]))
    }

    @Test func `a chord row walks through its triads`() {
        #expect(
            tapping(.chords, row: 11, times: 3) == [
                ["B3 ..o", "G3 ..o", "E3 ..o"], ["A3 ..o", "F3 ..o", "C3 ..o"], [],
            ])
    }

    @Test func `a bass row walks through its notes each with its fifth`() {
        #expect(
            tapping(.bass, row: 14, times: 3) == [["A2 ..o", "E2 ..o"], ["B2 ..o", "F2 ..o"], []])
        #expect(
            tapping(.bass, row: 17, times: 3) == [["G2 ..o", "C2 ..o"], ["A2 ..o", "D2 ..o"], []])
    }

    @Test func `a tap replaces any other note of the melody step`() {
        var rig = Rig("C", .major, [.melody: "C4 ..o"])
        rig.play("0 down s2,5\n100 up")
        expect(.melody, "E4 ..o", in: rig)
    }

    @Test func `a note of the row outside the scale counts as not sounding`() {
        var rig = Rig("C", .major, [.melody: "C#4 ..X"])
        rig.play("0 down s2,7\n100 up")
        expect(.melody, "C4 ..o", in: rig)
    }

    @Test func `on rhythm a tap only changes its row`() {
        var rig = Rig("C", .major, [.rhythm: "CRASH ..o\nSNARE ..X\nKICK ..o"])
        rig.play("0 down s2,21\n100 up")
        expect(.rhythm, "CRASH ..o\nSNARE ..X\nKICK2 ..o", in: rig)
    }

    @Test func `several drums of the row are removed together`() {
        var rig = Rig("C", .major, [.rhythm: "SNARE ..X\nLOW TOM ..o\nKICK ..o"])
        rig.play("0 down s2,21\n100 up")
        expect(.rhythm, "SNARE ..X", in: rig)
        #expect(rig.texts == ["KICK"])
        #expect(rig.outcomes == [TouchOutcome(gesture: "tap", notes: 0)])
    }

    @Test func `a step with only the root counts as its chord`() {
        var rig = Rig("C", .major, [.chords: "F3 ..o", .bass: "C2 ..X"])
        rig.play("0 down s2,11\n100 up\n600 down s2,17\n700 up")
        expect(.chords, "", in: rig)
        expect(.bass, "A2 ..o\nD2 ..o", in: rig)
    }

    @Test func `any other chord is replaced by the first candidate's`() {
        var rig = Rig("C", .major, [.chords: "B3 ..o\nG3 ..o\nE3 ..o\nC3 ..o", .bass: "G2 ..o\nD2 ..o"])
        rig.play("0 down s2,13\n100 up\n600 down s2,17\n700 up")
        expect(.chords, "G3 ..o\nE3 ..o\nC3 ..o", in: rig)
        expect(.bass, "G2 ..o\nC2 ..o", in: rig)
    }

    @Test func `a chord is recognised whatever its velocities`() {
        var rig = Rig("C", .major, [.chords: "G3 .X~\nE3 ..o\nC3 ..X"])
        rig.play("0 down s2,13\n100 up")
        expect(.chords, "G3 .X", in: rig)
    }

    @Test func `a tap on a sustained step ends the note there`() {
        var rig = Rig("C", .major, [.melody: "C4 X~~~~"])
        rig.play("0 down s2,7\n100 up")
        expect(.melody, "C4 X~", in: rig)
    }

    @Test func `a headless sustain does not sound and is not revived`() {
        var rig = Rig("C", .major, length: 32, [.melody: "C4 ~..............................X"])
        expect(.melody, "C4 ~..............................X", in: rig)
        rig.change { $0.set(.length, to: 16) }
        // Step 15 now precedes step 0: its new C must not take over the tail of the hidden note.
        rig.play("0 down s15,7\n100 up")
        expect(.melody, "C4 ...............o...............X", in: rig)
    }

    @Test func `taps are named and counted`() {
        var rig = Rig()
        rig.play(
            """
               0 down s0,2
             100 up
             600 down s0,13
             700 up
            1200 down s0,14
            1300 up
            1800 down s0,19
            1900 up
            2400 down s0,19
            2500 up
            3000 down s0,2
            3100 up
            """)
        #expect(rig.texts == ["B4", "C3", "A2", "CLOSED HAT", "CLAP", "B4"])
        #expect(rig.outcomes.map(\.gesture) == Array(repeating: "tap", count: 6))
        #expect(rig.outcomes.map(\.notes) == [1, 3, 2, 1, 1, 0])
        #expect(rig.haptics == Array(repeating: .light, count: 6))
        #expect(rig.history.undoCount == 6)
    }
}
