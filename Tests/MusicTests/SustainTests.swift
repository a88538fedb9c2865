import Music
import TestSupport
import Testing

/// One note's cells drawn as text: . off, o normal, X accent, ~ sustain.
private func melody(_ drawing: String) -> Cells {
    var cells = Cells()
    for (step, sign) in drawing.enumerated() {
        cells[.melody, 4, step] = [".": Velocity.off, "o": .normal, "X": .accent, "~": .sustain][sign]!
    }
    return cells
}

private func drawing(_ cells: Cells) -> String {
    let row = (0..<Cells.stepCount).map { step -> Character in
        switch cells[.melody, 4, step] {
        case .off: "."
        case .normal: "o"
        case .accent: "X"
        case .sustain: "~"
        }
    }
    return String(String(row).reversed().drop { $0 == "." }.reversed())
}

@Suite struct SustainTests {
    @Test(arguments: [
        ("..X~~~", 32, "..X~~~"),
        // no head, or a gap behind it
        ("~~~..", 32, ""), ("X.~~", 32, "X"), ("..o~.~", 32, "..o~"),
        // round the end of the pattern
        ("~~...X~~", 8, "~~...X~~"), ("~~...X~.", 8, ".....X~"), ("~......o", 8, "~......o"),
        // round the end at another length
        ("~......o........", 16, ".......o"), ("~..............o", 16, "~..............o"),
        // sustained all the way round, with and without a head
        ("~~~~~~~~", 8, ""), ("~~~X~~~~", 8, "~~~X~~~~"),
        // hidden steps go back one by one, into the visible ones
        (".......X~~~", 8, ".......X~~~"), ("~.......~~~X~", 8, "...........X~"), ("~~......X", 8, "........X"),
        ("X~~~~~~~~~~~", 8, "X~~~~~~~~~~~"),
    ])
    func `headless cells go`(before: String, length: Int, after: String) {
        #expect(drawing(melody(before).removingHeadless(length: length)) == after)
    }

    @Test func `a note's head is its own and not another's`() {
        var cells = melody("..X")
        cells[.melody, 5, 3] = .sustain
        cells[.chords, 4, 3] = .sustain
        #expect(cells.removingHeadless(length: 32) == melody("..X"))
    }

    @Test(arguments: [("..X~~~", 5, 32, 2), ("~~...X~~", 1, 8, 5), ("~~...X~~", 7, 8, 5), (".......X~~~", 10, 8, 7)])
    func `a tail leads back to its head`(row: String, step: Int, length: Int, head: Int) {
        #expect(melody(row).head(of: .melody, 4, at: step, length: length) == head)
    }

    @Test(arguments: [
        ("X...", 0, 32, 0), ("X~~~.~", 0, 32, 3), ("~~...X~~", 5, 8, 4), ("~~...X~~", 5, 16, 2), ("~~~~~~~X", 7, 8, 7),
    ])
    func `the tail is counted cyclically`(row: String, head: Int, length: Int, count: Int) {
        #expect(melody(row).sustainCount(after: head, of: .melody, 4, length: length) == count)
    }

    @Test func `shortening hides and lengthening brings back`() {
        var document = Document(pattern: pattern("~~..........X~......X~~~......X~"))
        let before = document
        document.set(.length, to: 16)
        // Step 0 comes after step 15 now; the head of its tail is hidden.
        #expect(drawing(document.pattern.soundingCells) == "............X~......X~~~......X~")
        #expect(document.pattern.cells == before.pattern.cells)
        document.set(.length, to: 32)
        #expect(document == before)
    }

    @Test func `an edit takes headless cells away for good`() {
        var document = Document(pattern: pattern("~~............................X~"))
        document.set(.length, to: 16)
        var cells = document.pattern.soundingCells
        cells[.rhythm, 0, 0] = .normal
        #expect([document.edit(cells)] == [true])
        document.set(.length, to: 32)
        #expect(drawing(document.pattern.cells) == "..............................X~")
        document.undo()
        #expect(drawing(document.pattern.cells) == "~~............................X~")
    }

    @Test func `cells settle once and for all`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var cells = Cells()
            for _ in 0..<60 {
                cells[
                    Track.allCases.randomElement(using: &generator)!, Int.random(in: 0..<3, using: &generator),
                    Int.random(in: 0..<32, using: &generator)] = Velocity.allCases.randomElement(using: &generator)!
            }
            let length = Int.random(in: 8...32, using: &generator)
            let settled = cells.removingHeadless(length: length)
            #expect(settled.removingHeadless(length: length) == settled)
            for track in Track.allCases {
                for step in 0..<32 {
                    for note in 0..<12 where cells[track, note, step] != settled[track, note, step] {
                        #expect(cells[track, note, step] == .sustain && settled[track, note, step] == .off)
                    }
                    for note in settled[track, step].notes where settled[track, note, step] == .sustain {
                        let head = settled.head(of: track, note, at: step, length: length)
                        #expect(head.map { settled[track, note, $0].isHead } == true)
                    }
                }
            }
        }
    }

    private func pattern(_ row: String) -> Pattern {
        var pattern = Pattern()
        pattern.cells = melody(row)
        return pattern
    }
}
