import Gestures
import Grid
import Music
import Testing

/// The direction of drags, recognised by their tooltips.
@Suite struct DirectionTests {
    private static let cell = TouchSurface(resolution: .cell)

    private func text(_ timeline: String, on surface: TouchSurface = TouchSurface()) -> String? {
        var rig = Rig()
        rig.surfaces[ClientID(1)] = surface
        rig.play(timeline)
        return rig.texts.last
    }

    // MARK: 10 pixels

    @Test(arguments: [
        (20.0, 0.5, false), (20, 0.55, true), (21, 0.476, false), (21, 0.477, true), (7, 1.42, false), (7, 1.43, true),
    ])
    func `a finger drags once it has moved more than ten pixels`(cellPixels: Double, cells: Double, drags: Bool) {
        var rig = Rig()
        rig.surfaces[ClientID(1)] = TouchSurface(cellPixels: cellPixels)
        // Close to the next cell, so that the drag leaves its own.
        rig.play("0 down 6.9,5.5\n50 move \(6.9 + cells),5.5\n399\n400 up")
        #expect(rig.texts.last == (drags ? "ARPEGGIO" : "ACCENT!"))
    }

    @Test func `exactly ten pixels are not a drag`() {
        #expect(text("0 down 6.875,5.5\n50 move 7.375,5.5\n100 up", on: TouchSurface(cellPixels: 20)) == "E4")
        #expect(text("0 down 6.875,5.5\n50 move 7.5,5.5\n100 up", on: TouchSurface(cellPixels: 16)) == "E4")
        #expect(text("0 down 6.875,5.5\n50 move 7.515625,5.5\n100 up", on: TouchSurface(cellPixels: 16)) == "ARPEGGIO")
    }

    @Test func `on a surface of cells every change of cell is a drag however large the cells are`() {
        let surface = TouchSurface(resolution: .cell, cellPixels: 6)
        #expect(text("0 down 6,5\n50 move 7,5\n350 up", on: surface) == "ARPEGGIO")
        #expect(text("0 down 6,5\n50 move 6,4\n350 up", on: surface) == "G4")
    }

    @Test func `on a surface of cells places inside them do not count`() {
        let surface = TouchSurface(resolution: .cell, cellPixels: 100)
        #expect(text("0 down 6.1,5.1\n50 move 6.9,5.9\n350 up", on: surface) == "E4")
    }

    @Test func `the place of the lift counts too`() {
        #expect(text("0 down s2,5\n50 up s5,5") == "ARPEGGIO")
        #expect(text("0 down s2,5\n50 move s3,5\n100 up 7.5,4.2") == "PHRASE")
    }

    // MARK: 1.3

    @Test(arguments: [
        (1.29, 1.0, "PHRASE"), (1.31, 1.0, "ARPEGGIO"), (-1.29, 1.0, "PHRASE"), (-1.31, 1.0, "ARPEGGIO"),
        (1.0, 1.29, "PHRASE"), (1.0, 1.31, "D4"), (-1.0, -1.29, "PHRASE"), (-1.0, -1.31, "G4"),
    ])
    func `a drag is straight if it is more than 1.3 times as long one way`(dx: Double, dy: Double, expected: String) {
        #expect(text("0 down 8.5,5.5\n50 move \(8.5 + dx),\(5.5 + dy)\n350 up") == expected)
    }

    @Test func `the direction is judged in cells not in pixels or steps`() {
        // Ten columns to the right over a separator, eight rows down: 10 > 1.3 * 7 but not 1.3 * 8.
        #expect(text("0 down s4,2\n50 move 18,9\n450 up") == "ARPEGGIO")
        #expect(text("0 down s4,2\n50 move 18,10\n450 up") == "PHRASE")
    }

    @Test func `the direction follows the finger's unclamped place`() {
        // With the row clamped to melody's, the drag would be horizontal.
        #expect(text("0 down s4,7\n50 move s6,18\n450 up") == "C4")
    }

    // MARK: The lock

    @Test func `two cells away the direction is locked`() {
        #expect(text("0 down 8.5,5.5\n50 move 10.5,5.5\n100 move 8.7,2.5\n350 up") == "ARPEGGIO")
        #expect(text("0 down 8.5,5.5\n50 move 10.49,5.5\n100 move 8.7,2.5\n350 up") == "B4")
    }

    @Test func `the distance is the straight line`() {
        // 1.42 * sqrt 2 is more than 2, 1.41 * sqrt 2 less.
        #expect(text("0 down 8.5,5.5\n50 move 9.92,4.08\n100 move 12.5,5.5\n350 up") == "PHRASE")
        #expect(text("0 down 8.5,5.5\n50 move 9.91,4.09\n100 move 12.5,5.5\n350 up") == "ARPEGGIO")
    }

    @Test func `a locked drag keeps its direction wherever it goes`() {
        #expect(text("0 down s4,5\n50 move s4,3\n100 move s7,3\n200 move s7,5\n350 up") == "E4")
        #expect(text("0 down s4,5\n50 move s6,5\n100 move s6,20\n350 up") == "ARPEGGIO")
    }

    @Test func `on a surface of cells the lock is five cells away`() {
        let staircase = "0 down 8,5\n20 move 9,5\n40 move 9,4\n60 move 10,4\n80 move 10,3\n"
        #expect(text(staircase + "100 move 11,3\n350 up", on: Self.cell) == "ARPEGGIO")
        #expect(text(staircase + "100 move 11,3\n120 move 11,2\n350 up", on: Self.cell) == "PHRASE")
        // Four cells away it may still change, five (here 3 and 4) no more.
        #expect(text("0 down 8,3\n20 move 12,3\n40 move 12,7\n350 up", on: Self.cell) == "PHRASE")
        #expect(text("0 down 8,3\n20 move 13,3\n40 move 13,8\n350 up", on: Self.cell) == "ARPEGGIO")
        #expect(text("0 down 8,3\n20 move 11,7\n40 move 18,7\n350 up", on: Self.cell) == "C4")
        #expect(text("0 down 8,3\n20 move 12,6\n40 move 8,7\n350 up", on: Self.cell) == "ARPEGGIO")
    }
}
