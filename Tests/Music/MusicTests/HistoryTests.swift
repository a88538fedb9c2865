import Music
import TestSupport
import Testing

@Suite struct HistoryTests {
    /// A document after this many edits, each of which adds a drum.
    private func document(edits: Int) -> Document {
        var document = Document()
        for number in 0..<edits { document.toggle(number) }
        return document
    }

    @Test func `undo and redo walk through the edits`() {
        var document = document(edits: 3)
        let last = document.pattern
        #expect(document.pattern.cells.count == 3)
        #expect([document.apply(.undo), document.apply(.undo)] == [true, true])
        #expect(document.pattern.cells.count == 1)
        #expect(document.history.undoCount == 1 && document.history.redoCount == 2)
        #expect([document.apply(.redo), document.apply(.redo), document.apply(.redo)] == [true, true, false])
        #expect(document.pattern == last)
    }

    @Test func `with nothing left nothing happens`() {
        var document = Document()
        #expect([document.apply(.undo), document.apply(.redo), document.apply(.retract)] == [false, false, false])
        #expect(document == Document())
        #expect(document.history.revision == 0)
    }

    @Test func `a new edit drops the redo side`() {
        var document = document(edits: 3)
        document.apply(.undo)
        document.toggle(50)
        #expect(document.history.redoCount == 0)
        #expect(document.history.undoCount == 3)
    }

    @Test func `an edit that changes nothing is no step and keeps the redo side`() {
        var document = document(edits: 2)
        document.apply(.undo)
        let before = document
        #expect([document.edit(document.pattern.cells)] == [false])
        #expect(document == before)
        #expect(document.history.revision == before.history.revision)
    }

    @Test func `headless cells alone make no step`() {
        var pattern = Pattern()
        pattern[.melody, 4, 31] = .normal
        pattern[.melody, 4, 0] = .sustain
        var document = Document(pattern: pattern)
        document.set(.length, to: 16)
        #expect([document.edit(document.pattern.soundingCells)] == [false])
        #expect([document.edit(document.pattern.cells)] == [false])
        document.set(.length, to: 32)
        #expect(document.pattern[.melody, 4, 0] == .sustain)
    }

    @Test func `the newest hundred steps are kept`() {
        var document = document(edits: 130)
        #expect(document.history.undoCount == 100)
        while document.apply(.undo) {}
        #expect(document.pattern.cells.count == 30)
        #expect(document.history.redoCount == 100)
        while document.apply(.redo) {}
        #expect(document.pattern.cells.count == 130)
    }

    @Test func `an amended edit is one step`() {
        var document = document(edits: 1)
        document.toggle(1)
        let drums = document.pattern[.rhythm]
        document.amend(.melody, 4, 4, .accent)
        #expect(document.pattern[.rhythm] == drums && document.pattern[.melody, 4, 4] == .accent)
        #expect(document.history.undoCount == 2)
        document.apply(.undo)
        #expect(document.pattern.cells.count == 1)
        document.apply(.redo)
        #expect(document.pattern[.rhythm] == drums && document.pattern[.melody, 4, 4] == .accent)
    }

    @Test(arguments: [1, 99, 100, 150])
    func `an amendment loses neither the redo side nor the oldest step`(edits: Int) {
        var document = document(edits: edits)
        document.apply(.undo)
        let before = document
        document.toggle(200)
        document.amend(.melody, 4, 4, .accent)
        #expect([document.apply(.retract)] == [true])
        #expect(document == before)
    }

    @Test func `an amendment that restores the earlier notes is no step`() {
        let before = document(edits: 3)
        var document = before
        document.toggle(100)
        let erased = before.pattern[.rhythm]
        for change in document.amendment([Slot(.rhythm, 0): erased]) { document.apply(change) }
        #expect(document == before)
    }

    @Test func `an amendment is a step of its own unless an edit came last`() {
        var undone = document(edits: 3)
        undone.apply(.undo)
        undone.amend(.melody, 4, 4, .accent)
        #expect(undone.history.undoCount == 3)
        var loaded = document(edits: 1)
        loaded.apply(.replacePattern(Pattern()))
        loaded.amend(.melody, 4, 4, .accent)
        #expect(loaded.history.undoCount == 3)
        var empty = Document()
        empty.amend(.melody, 4, 4, .accent)
        #expect(empty.history.undoCount == 1)
    }

    @Test func `an amendment leaves no headless cell`() {
        var document = document(edits: 1)
        document.amend(.melody, 4, 4, .sustain)
        #expect(document.pattern.cells.count == 1)
    }

    @Test(arguments: [0, 1, 50, 99, 100, 150])
    func `a retracted edit leaves no trace`(edits: Int) {
        for undone in [0, 1, 3] where undone <= min(edits, 100) {
            var document = document(edits: edits)
            for _ in 0..<undone { document.apply(.undo) }
            let before = document
            document.toggle(200)
            #expect(document.history.countsAfterRetraction?.undo == before.history.undoCount)
            #expect(document.history.countsAfterRetraction?.redo == before.history.redoCount)
            #expect([document.apply(.retract)] == [true])
            #expect(document == before)
            #expect(document.history.revision > before.history.revision)
            #expect([document.apply(.retract)] == [false])
        }
    }

    @Test func `only the newest edit can be retracted`() {
        var undone = document(edits: 3)
        undone.apply(.undo)
        #expect(undone.history.countsAfterRetraction == nil)
        #expect([undone.apply(.retract)] == [false])
        undone.apply(.redo)
        #expect([undone.apply(.retract)] == [false])
    }

    @Test func `the revision counts everything that happens`() {
        var document = Document()
        var seen = [document.history.revision]
        document.toggle(0)
        seen.append(document.history.revision)
        document.apply(.undo)
        seen.append(document.history.revision)
        document.apply(.redo)
        seen.append(document.history.revision)
        document.toggle(1)
        seen.append(document.history.revision)
        document.apply(.retract)
        seen.append(document.history.revision)
        #expect(seen == Array(0...5))
    }

    @Test func `settings are not in the history`() {
        var document = document(edits: 2)
        document.set(.tempo, to: 99)
        document.set(.scale, to: "minor")
        document.set(.root, to: .choice(PitchClass(5)))
        document.set(.length, to: 16)
        document.set(.swing, to: 0.6)
        document.apply(.setName("a"))
        document.set(.mute, on: .bass, to: true)
        #expect(document.history.undoCount == 2)
        document.apply(.undo)
        #expect(document.pattern.bpm == 99)
        #expect(document.pattern.key == Key(root: PitchClass(5), scale: .minor))
        #expect(document.pattern.length == 16 && document.pattern.swing == 0.6 && document.pattern.name == "a")
        #expect(document.isOn(.mute, .bass))
    }

    @Test func `an import is one step that also holds its settings`() {
        var document = document(edits: 2)
        document.set(.tempo, to: 90)
        let before = document.pattern
        var imported = Pattern()
        imported.name = "other"
        imported.bpm = 150
        imported.key = Key(root: PitchClass(3), scale: .penta)
        imported.length = 16
        imported.swing = 0.7
        imported.cells[.chords, 1, 1] = .accent
        #expect([document.apply(.replacePattern(imported))] == [true])
        #expect(document.pattern == imported)
        #expect(document.history.undoCount == 3)

        // Later settings go with it: undo restores the settings from before it, redo those that it set.
        document.set(.tempo, to: 200)
        document.apply(.undo)
        #expect(document.pattern == before)
        document.apply(.redo)
        #expect(document.pattern == imported)
        #expect([document.apply(.replacePattern(imported))] == [false])
        #expect(document.history.undoCount == 3)
    }

    @Test func `an imported sustain without a head is dropped`() {
        var imported = Pattern()
        imported.cells[.melody, 4, 4] = .sustain
        imported.cells[.melody, 4, 8] = .normal
        var document = Document()
        document.apply(.replacePattern(imported))
        #expect(document.pattern.cells.count == 1)
        #expect(Document(pattern: imported).pattern.cells.count == 1)
    }

    @Test func `length and swing are clamped`() {
        var document = Document()
        document.set(.length, to: 3)
        document.set(.swing, to: 0.9)
        #expect(document.pattern.length == 8 && document.pattern.swing == 0.75)
        document.set(.length, to: 99)
        document.set(.swing, to: 0.1)
        #expect(document.pattern.length == 32 && document.pattern.swing == 0.5)
    }

    @Test(arguments: 0..<UInt64(20))
    func `undo to the bottom gives the first pattern and redo to the top the last`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var document = Document()
        for _ in 0..<90 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6: document.toggle(Int.random(in: 0..<300, using: &generator))
            case 6: document.apply(.undo)
            case 7: document.apply(.redo)
            case 8: document.apply(.retract)
            default: document.set(.length, to: .number(Double(Int.random(in: 8...32, using: &generator))))
            }
        }
        let steps = document.history.undoCount
        let last = document.pattern.cells
        while document.apply(.undo) {}
        #expect(document.pattern.cells.isEmpty)
        for _ in 0..<steps { document.apply(.redo) }
        #expect(document.pattern.cells == last)
    }
}

extension Document {
    /// Turns one of 384 drums on, or off again.
    fileprivate mutating func toggle(_ number: Int) {
        var cells = pattern.cells
        let (note, step) = (number % 12, number / 12 % 32)
        cells[.rhythm, note, step] = cells[.rhythm, note, step] == .off ? .normal : .off
        edit(cells)
    }

    /// Writes a note as part of the newest edit.
    fileprivate mutating func amend(_ track: Track, _ note: Int, _ step: Int, _ velocity: Velocity) {
        var notes = pattern[track]
        notes[note, step] = velocity
        for change in amendment([pattern.playing[track]: notes]) { apply(change) }
    }
}
