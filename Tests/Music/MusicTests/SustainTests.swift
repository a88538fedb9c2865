import Music
import TestSupport
import Testing

/// One note drawn as text: . off, o normal, X accent, ~ sustain.
private func row(_ drawing: String) -> SlotNotes {
    var notes = SlotNotes()
    for (step, sign) in drawing.enumerated() {
        notes[4, step] = [".": Velocity.off, "o": .normal, "X": .accent, "~": .sustain][sign]!
    }
    return notes
}

private func drawing(_ notes: SlotNotes) -> String {
    let row = (0..<SlotNotes.stepCount).map { step -> Character in
        switch notes[4, step] {
        case .off: "."
        case .normal: "o"
        case .accent: "X"
        case .sustain: "~"
        }
    }
    return String(String(row).reversed().drop { $0 == "." }.reversed())
}

/// The step on which a sustain cell's note starts, found by walking back: cyclically within the length, one by one
/// beyond it.
private func head(in notes: SlotNotes, of note: Int, at step: Int, length: Int) -> Int? {
    var current = step
    for _ in 0..<SlotNotes.stepCount {
        current = current == 0 ? length - 1 : current - 1
        if notes[note, current] != .sustain { return notes[note, current].isHead ? current : nil }
    }
    return nil
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
    func `headless cells are removed`(before: String, length: Int, after: String) {
        #expect(drawing(row(before).removingHeadless(ofWhole: length)) == after)
    }

    @Test func `a sustain cell needs a head of its own note`() {
        var notes = row("..X")
        notes[5, 3] = .sustain
        #expect(notes.removingHeadless(ofWhole: 32) == row("..X"))
    }

    @Test func `a head on one track does not count on the others`() {
        var pattern = pattern("..X")
        pattern[.chords, 4, 3] = .sustain
        #expect(pattern.sounding(.melody) == row("..X") && pattern.sounding(.chords).isEmpty)
    }

    @Test(arguments: [
        ("X...", 0, 32, 0), ("X~~~.~", 0, 32, 3), ("~~...X~~", 5, 8, 4), ("~~...X~~", 5, 16, 2), ("~~~~~~~X", 7, 8, 7),
    ])
    func `the tail is counted cyclically`(drawing: String, head: Int, length: Int, count: Int) {
        #expect(row(drawing).sustainCount(after: head, of: 4, length: length) == count)
    }

    @Test func `shortening hides and lengthening brings back`() {
        var document = Document(pattern: pattern("~~..........X~......X~~~......X~"))
        let before = document
        document.set(.length, to: 16)
        // Step 0 now follows step 15, so its head is hidden.
        #expect(drawing(document.pattern.sounding(.melody)) == "............X~......X~~~......X~")
        #expect(document.pattern[.melody] == before.pattern[.melody])
        document.set(.length, to: 32)
        #expect(document == before)
    }

    @Test func `a slot that is shortened and lengthened again has not changed`() {
        let slot = Slot(.melody, 0)
        var pattern = pattern("~~..........X~......X~~~......X~")
        pattern[.bass] = row("~..............................o")
        var document = Document(pattern: pattern)
        // Hides the bass's head.
        document.set(.length, to: 16)
        func change(_ change: (inout SlotNotes) -> Void) {
            var notes = document.pattern[slot]
            change(&notes)
            document.apply(.edit([slot: notes]))
        }
        change { $0.length = 8 }
        #expect(drawing(document.pattern.sounding(slot)) == "............X~......X~~~......X~")
        change { $0.speed = .half }
        change { $0.motions[.tone, 3] = 5 }
        change { ($0.length, $0.speed, $0.motions) = (nil, .normal, Motions()) }
        document.set(.length, to: 32)
        #expect(document.pattern == pattern && document.history.undoCount == 4)
    }

    @Test func `an edit removes headless cells for good`() {
        var document = Document(pattern: pattern("~~............................X~"))
        document.set(.length, to: 16)
        var notes = SlotNotes()
        notes[0, 0] = .normal
        #expect([document.apply(.edit([Slot(.rhythm, 0): notes]))] == [true])
        document.set(.length, to: 32)
        #expect(drawing(document.pattern[.melody]) == "..............................X~")
        document.apply(.undo)
        #expect(drawing(document.pattern[.melody]) == "~~............................X~")
    }

    @Test func `removing headless cells twice changes nothing more`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var notes = SlotNotes()
            for _ in 0..<60 {
                notes[Int.random(in: 0..<3, using: &generator), Int.random(in: 0..<32, using: &generator)] =
                    Velocity.allCases.randomElement(using: &generator)!
            }
            let length = Int.random(in: 8...32, using: &generator)
            let settled = notes.removingHeadless(ofWhole: length)
            #expect(settled.removingHeadless(ofWhole: length) == settled)
            for step in 0..<32 {
                for note in 0..<12 {
                    let isHeadless =
                        notes[note, step] == .sustain && head(in: notes, of: note, at: step, length: length) == nil
                    #expect(settled[note, step] == (isHeadless ? .off : notes[note, step]))
                }
            }
        }
    }

    private func pattern(_ drawing: String) -> Pattern {
        var pattern = Pattern()
        pattern[.melody] = row(drawing)
        return pattern
    }
}
