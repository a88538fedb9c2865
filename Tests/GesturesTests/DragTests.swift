import Gestures
import Grid
import Music
import TestSupport
import Testing

/// A quick drag from one cell to another in C major, and what it writes.
struct DragCase: CustomTestStringConvertible, Sendable {
    let track: Track
    let from: String
    let to: String
    var held = false
    let text: String
    let drawing: String

    var testDescription: String { "\(held ? "held " : "")\(text) on \(track.name), \(from) to \(to)" }

    init(_ track: Track, _ from: String, _ to: String, held: Bool = false, _ text: String, _ drawing: String) {
        self.track = track
        self.from = from
        self.to = to
        self.held = held
        self.text = text
        self.drawing = drawing
    }

    /// Drags, more slowly than a swipe.
    func play(in rig: inout Rig) {
        rig.play("0 down \(from)\n\(held ? 450 : 50) move \(to)\n\(held ? 900 : 350) up")
    }
}

/// Every gesture on every track, in both directions.
@Suite struct DragTests {
    static let horizontal = [
        // E F G A B, and back at the top of the track
        DragCase(.melody, "s1,5", "s6,5", "ARPEGGIO", "B4 .....o\nA4 ....o.o\nG4 ...o\nF4 ..o\nE4 .o"),
        // E D C, and back at the bottom: D E F
        DragCase(.melody, "s6,5", "s1,5", "ARPEGGIO", "F4 .o\nE4 ..o...o\nD4 ...o.o\nC4 ....o"),
        DragCase(.chords, "s0,13", "s5,13", "ARPEGGIO", "B3 ...o\nG3 ..o\nE3 .o...o\nC3 o...o"),
        DragCase(.chords, "s5,13", "s0,13", "ARPEGGIO", "B3 .o...o\nG3 o...o\nE3 ...o\nC3 ..o"),
        DragCase(.bass, "s0,17", "s5,17", "WALK", "G2 .o.o.o\nE2 ..o\nC2 o...o"),
        DragCase(.bass, "s5,17", "s0,17", "WALK", "G2 o.o.o\nE2 ...o\nC2 .o...o"),
        DragCase(.rhythm, "s0,20", "s3,20", "ROLL", "SNARE oooo"),
        DragCase(.rhythm, "s3,20", "s0,20", "ROLL", "SNARE oooo"),
    ]

    static let vertical = [
        DragCase(.melody, "s2,7", "s2,4", "G4", "G4 ..o"),
        DragCase(.melody, "s2,4", "s2,7", "C4", "C4 ..o"),
        DragCase(.chords, "s2,13", "s2,12", "CHORD", "E3 ..o\nC3 ..o"),
        DragCase(.chords, "s2,13", "s2,11", "CHORD", "G3 ..o\nE3 ..o\nC3 ..o"),
        DragCase(.chords, "s2,13", "s2,10", "CHORD", "B3 ..o\nG3 ..o\nE3 ..o\nC3 ..o"),
        DragCase(.chords, "s2,13", "s2,8", "CHORD", "B3 ..o\nG3 ..o\nE3 ..o\nC3 ..o"),
        DragCase(.chords, "s2,10", "s2,11", "CHORD", "B3 ..o\nG3 ..o"),
        DragCase(.chords, "s2,10", "s2,13", "CHORD", "B3 ..o\nG3 ..o\nF3 ..o\nD3 ..o"),
        DragCase(.bass, "s2,17", "s2,15", "ROOT+5", "G2 ..o\nC2 ..o"),
        DragCase(.bass, "s2,16", "s2,17", "ROOT+5", "A2 ..o\nE2 ..o"),
        // down into the rows of another track
        DragCase(.bass, "s2,17", "s2,20", "ROOT+5", "F2 ..o\nC2 ..o"),
        DragCase(.rhythm, "s2,21", "s2,19", "MULTI", "CLOSED HAT ..o\nSNARE ..o\nKICK ..o"),
        DragCase(.rhythm, "s2,18", "s2,20", "MULTI", "CRASH ..o\nCLOSED HAT ..o\nSNARE ..o"),
    ]

    static let diagonal = [
        // 0, 2.33, 4.67, 7
        DragCase(.melody, "s0,7", "s3,4", "PHRASE", "G4 ...o\nF4 ..o\nD4 .o\nC4 o"),
        DragCase(.melody, "s3,4", "s0,7", "PHRASE", "G4 ...o\nF4 ..o\nD4 .o\nC4 o"),
        DragCase(.melody, "s3,7", "s0,4", "PHRASE", "G4 o\nF4 .o\nD4 ..o\nC4 ...o"),
        DragCase(.chords, "s0,10", "s3,13", "PHRASE", "G3 o\nF3 .o\nD3 ..o\nC3 ...o"),
        DragCase(.chords, "s3,13", "s0,10", "PHRASE", "G3 o\nF3 .o\nD3 ..o\nC3 ...o"),
        // 0, 3, 6, 9: of two equally near notes the higher
        DragCase(.bass, "s0,17", "s3,14", "FILL", "A2 ...o\nG2 ..o\nE2 .o\nC2 o"),
        DragCase(.bass, "s3,17", "s0,14", "FILL", "A2 o\nG2 .o\nE2 ..o\nC2 ...o"),
        DragCase(.rhythm, "s0,21", "s3,18", "FILL", "CRASH ...o\nCLAP ..o\nSNARE .o\nKICK o"),
        // 7, 3.5, 0: halves are rounded up
        DragCase(.rhythm, "s2,19", "s0,21", "FILL", "CLOSED HAT ..o\nSNARE2 .o\nKICK o"),
    ]

    static let held = [
        DragCase(.melody, "s1,5", "s4,5", held: true, "SUSTAIN", "E4 .X~~~"),
        DragCase(.melody, "s4,5", "s1,5", held: true, "SUSTAIN", "E4 .X~~~"),
        DragCase(.chords, "s1,13", "s4,13", held: true, "SUSTAIN", "G3 .X~~~\nE3 .X~~~\nC3 .X~~~"),
        DragCase(.chords, "s4,13", "s1,13", held: true, "SUSTAIN", "G3 .X~~~\nE3 .X~~~\nC3 .X~~~"),
        DragCase(.bass, "s1,17", "s4,17", held: true, "SUSTAIN", "G2 .o~~~\nC2 .X~~~"),
        DragCase(.bass, "s4,17", "s1,17", held: true, "SUSTAIN", "G2 .o~~~\nC2 .X~~~"),
        DragCase(.rhythm, "s0,21", "s4,21", held: true, "ROLL", "KICK XoooX"),
        DragCase(.rhythm, "s4,21", "s0,21", held: true, "ROLL", "KICK XoooX"),
        DragCase(.melody, "s2,7", "s2,4", held: true, "G4", "G4 ..X"),
        DragCase(.chords, "s2,13", "s2,11", held: true, "CHORD", "G3 ..X\nE3 ..X\nC3 ..X"),
        DragCase(.bass, "s2,17", "s2,15", held: true, "ROOT+5", "G2 ..o\nC2 ..X"),
        DragCase(.bass, "s2,16", "s2,17", held: true, "ROOT+5", "A2 ..o\nE2 ..X"),
        DragCase(.rhythm, "s2,21", "s2,20", held: true, "MULTI", "SNARE ..X\nKICK ..X"),
        DragCase(.melody, "s0,7", "s3,4", held: true, "PHRASE", "G4 ...o\nF4 ..o\nD4 .o\nC4 X"),
        DragCase(.chords, "s3,10", "s0,13", held: true, "PHRASE", "G3 ...X\nF3 ..o\nD3 .o\nC3 o"),
        DragCase(.bass, "s0,17", "s3,14", held: true, "FILL", "A2 ...o\nG2 ..o\nE2 .o\nC2 X"),
        DragCase(.rhythm, "s3,21", "s0,18", held: true, "FILL", "CRASH o\nCLAP .o\nSNARE ..o\nKICK ...X"),
    ]

    @Test(arguments: horizontal + vertical + diagonal + held)
    func `a drag writes its gesture as one undo step`(drag: DragCase) {
        var rig = Rig()
        drag.play(in: &rig)
        expect(drag.track, drag.drawing, in: rig)
        #expect(rig.texts.filter { $0 != "ACCENT!" } == [drag.text])
        #expect(drag.text.count <= 11 && drag.text.allSatisfy { PixelFont.glyph(of: $0) != nil })
        #expect(rig.haptics == (drag.held ? [.heavy, .medium] : [.medium]))
        #expect(rig.history.undoCount == 1)
        #expect(rig.edits.count == 1)

        let gesture = drag.text.contains("4") ? "slide" : drag.text.lowercased()
        #expect(rig.outcomes == [TouchOutcome(gesture: gesture, notes: rig.cells.count)])
        rig.change { $0.apply(.undo) }
        #expect(rig.cells.isEmpty)
    }

    @Test(arguments: horizontal + vertical + diagonal + held)
    func `the preview shows what the lift writes`(drag: DragCase) {
        var rig = Rig()
        rig.play("0 down \(drag.from)\n\(drag.held ? 450 : 50) move \(drag.to)")
        let preview = rig.machine.previews
        #expect(preview.count == 1)
        #expect(rig.cells.isEmpty)
        rig.play("300 up")
        #expect(rig.machine.previews.isEmpty)
        #expect(preview[0].count == rig.cells.count)
        for cell in preview[0] {
            #expect(cell.track == drag.track)
            #expect(rig.cells[cell.track, cell.note, cell.step] == cell.velocity)
        }
    }

    @Test func `on pitched tracks a drag replaces the notes of the touched steps`() {
        var rig = Rig("C", .major, [.melody: "B4 ooooooo", .chords: "A3 oo\nD3 oX"])
        DragCase(.melody, "s1,7", "s3,7", "", "").play(in: &rig)
        rig.wait(1000)
        DragCase(.chords, "s1,13", "s1,11", "", "").play(in: &rig)
        expect(.melody, "B4 o...ooo\nE4 ...o\nD4 ..o\nC4 .o", in: rig)
        expect(.chords, "A3 o\nG3 .o\nE3 .o\nD3 o\nC3 .o", in: rig)
    }

    @Test func `on rhythm a drag layers`() {
        var rig = Rig("C", .major, [.rhythm: "CRASH oooo\nSNARE XXXX\nKICK X"])
        DragCase(.rhythm, "s0,21", "s3,21", "", "").play(in: &rig)
        expect(.rhythm, "CRASH oooo\nSNARE XXXX\nKICK oooo", in: rig)
    }

    @Test func `writing over a head removes its tail`() {
        var rig = Rig("C", .major, [.chords: "G3 .X~~~~\nC3 .X~~~~"])
        DragCase(.chords, "s0,13", "s2,13", "", "").play(in: &rig)
        // Step 2 now holds the chord's fifth, G, which is as long as the drag made it.
        expect(.chords, "G3 ..o\nE3 .o\nC3 o", in: rig)
    }

    @Test func `a drag that changes nothing is no undo step and keeps the redo side`() {
        var rig = Rig("C", .major, [.rhythm: "KICK oooo"])
        rig.play("0 down s8,18\n100 up")
        rig.change { $0.apply(.undo) }
        rig.forgetActions()
        DragCase(.rhythm, "s0,21", "s3,21", "", "").play(in: &rig)
        #expect(rig.history.undoCount == 0)
        #expect(rig.history.redoCount == 1)
        #expect(rig.outcomes.isEmpty)
        #expect(rig.edits.isEmpty)
    }

    @Test func `a drag stays on its track wherever the finger goes`() {
        var rig = Rig()
        // From melody's bottom row down into chords: the row stays melody's lowest.
        DragCase(.melody, "s2,6", "s2,12", "", "").play(in: &rig)
        expect(.melody, "C4 ..o", in: rig)
        expect(.chords, "", in: rig)
    }

    @Test func `a drag stays within the visible steps`() {
        var rig = Rig("C", .major, length: 12)
        DragCase(.rhythm, "s10,21", "43,21", "", "").play(in: &rig)
        rig.wait(1000)
        DragCase(.rhythm, "s1,18", "0,18", "", "").play(in: &rig)
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
