import Gestures
import Grid
import Music
import Testing

@Suite struct FeedbackTests {
    // MARK: Tooltips

    @Test(arguments: [(2, 5), (5, 8), (7, 10), (8, 11), (9, 2), (10, 3), (13, 6), (17, 10), (21, 14)])
    func `a gesture's text is seven rows above the finger or three below`(row: Int, first: Int) {
        var rig = Rig()
        rig.play("0 down s2,\(row)\n100 up")
        #expect(rig.tooltips.map(\.row) == [first])
    }

    @Test func `the text follows the finger at every move, except reports of the same place`() {
        var rig = Rig()
        rig.play("0 down s2,7\n20 move s2,5\n40 move s2,3\n60 move s2,3\n80 move s2,14\n400 up")
        #expect(
            rig.tooltips == [
                Tooltip(text: "E4", row: 8), Tooltip(text: "A4", row: 6), Tooltip(text: "C4", row: 7),
                Tooltip(text: "C4", row: 7),
            ])
    }

    @Test func `flats are written as sharps`() {
        var rig = Rig("C", .minor)
        rig.play("0 down s2,2\n100 up\n500 down s3,9\n600 up\n1000 down s4,14\n1100 up")
        #expect(rig.texts == ["A#4", "G#3", "A#2"])
    }

    @Test func `a move that turns a drag into another gesture is shown`() {
        var rig = Rig()
        rig.play("0 down 8.5,11.5\n20 move 9.9,11.5\n40 move 9.5,10.5\n60 move 8.5,10.0\n300 up")
        #expect(rig.texts == ["ARPEGGIO", "PHRASE", "CHORD"])
    }

    @Test func `a held drag shows the accent first`() {
        var rig = Rig()
        rig.play("0 down s2,5\n450 move s5,5\n900 up")
        #expect(rig.texts == ["ACCENT!", "SUSTAIN"])
    }

    @Test func `no text is longer than the grid is wide`() {
        for drum in Drum.allCases { #expect(drum.title.utf8.count <= 11) }
        var rig = Rig()
        rig.play("0 down 0,20\n50 up\n100 down 1,20\n150 up\n200 down 1,2\n250 up")
        #expect(rig.texts == ["MUTE RHYTHM", "SOLO RHYTHM", "SOLO MELODY"])
    }

    // MARK: Audition

    private func audition(_ track: Track, _ notes: NoteSet, _ velocity: Velocity = .normal) -> Audition {
        Audition(track: track, notes: notes, velocity: velocity)
    }

    @Test func `the notes that a tap would write sound on down`() {
        var rig = Rig()
        rig.play("0 1a down s2,5\n0 1b down s2,13\n0 1c down s2,17\n0 1d down s2,19")
        #expect(
            rig.auditions == [
                audition(.melody, [4]), audition(.chords, [0, 4, 7]), audition(.bass, [0, 7]), audition(.rhythm, [7]),
            ])
        rig.play("50 1a up\n50 1b up\n50 1c up\n50 1d up")
        #expect(rig.auditions.count == 4)
    }

    @Test func `the row's next note sounds if the first is there already`() {
        var rig = Rig("C", .major, [.melody: "E4 ..o"])
        rig.play("0 down s2,5\n50 up")
        #expect(rig.auditions == [audition(.melody, [5])])
    }

    @Test func `nothing sounds if a tap would remove notes`() {
        var rig = Rig("C", .major, [.melody: "C4 ..o", .rhythm: "LOW TOM ..o"])
        rig.play("0 1a down s2,7\n0 1b down s2,21\n50 1a up\n50 1b up")
        #expect(rig.auditions.isEmpty)
    }

    @Test func `the second of a double tap sounds nothing`() {
        var rig = Rig("C", .major, [.melody: "E4 ..o"])
        rig.play("0 down s2,5\n50 up\n100 down s2,4\n150 up")
        #expect(rig.auditions == [audition(.melody, [5])])
    }

    @Test func `at the accent threshold the notes sound again, accented`() {
        var rig = Rig()
        rig.play("0 1a down s2,5\n0 1b down s2,17\n400")
        #expect(
            rig.auditions == [
                audition(.melody, [4]), audition(.bass, [0, 7]),
                audition(.melody, [4], .accent), audition(.bass, [0], .accent), audition(.bass, [7]),
            ])
    }

    @Test func `notes that a hold accents sound`() {
        var rig = Rig("C", .major, [.melody: "E4 ..o"])
        rig.play("0 down s2,5\n450 up")
        #expect(rig.auditions == [audition(.melody, [5]), audition(.melody, [4], .accent)])
    }

    @Test func `a slide sounds each new note once`() {
        var rig = Rig()
        rig.play("0 down s2,7\n20 move s2,6\n40 move 6.6,6.6\n60 move s2,5\n80 move s2,6\n100 move s2,15\n300 up")
        #expect(rig.auditions.map(\.notes) == [[0], [2], [4], [2], [0]])
    }

    @Test func `a held slide sounds accented`() {
        var rig = Rig()
        rig.play("0 down s2,7\n450 move s2,5\n900 up")
        #expect(
            rig.auditions == [audition(.melody, [0]), audition(.melody, [0], .accent), audition(.melody, [4], .accent)])
    }

    @Test func `a multi sounds each drum as it joins`() {
        var rig = Rig()
        rig.play("0 down s2,21\n20 move s2,20\n40 move s2,18\n60 move s2,19\n300 up")
        #expect(rig.auditions.map(\.notes) == [[0], [3], [7, 9]])
    }

    @Test func `no other drag sounds`() {
        for (row, to) in [
            (5, "s6,5"), (5, "s5,2"), (13, "s6,13"), (13, "s2,10"), (17, "s2,15"), (21, "s6,21"), (21, "s5,18"),
        ] {
            var rig = Rig()
            rig.play("0 down s2,\(row)\n20 move \(to)\n600 up")
            #expect(rig.auditions.count == 1, "row \(row) to \(to)")
        }
    }

    @Test func `haptics go to the touching client`() {
        var rig = Rig()
        rig.play("0 7a down s2,5\n50 7a up")
        #expect(rig.actions.contains(.haptic(ClientID(7), .light)))
        #expect([Haptic.light, .medium, .heavy, .rigid].map(\.intensity) == [0.5, 0.8, 1, 0.8])
    }
}
