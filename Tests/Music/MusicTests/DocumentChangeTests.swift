import Music
import Testing

struct DocumentChangeTests {
    private static let slot = Slot(.melody, 0)
    private static let notes = {
        var notes = SlotNotes()
        notes[4, 0] = .accent
        return notes
    }()
    private static let edit = DocumentChange.edit([slot: notes])

    private static let settings: [DocumentChange] = [
        .setName("Night"), .set(.tempo, to: 90), .set(.swing, to: 0.6), .set(.scale, to: "minor"),
        .set(.root, to: "A"), .set(.length, to: 16), .set(.colors, to: "harmonic"), .set(.ghosts, to: false),
        .set(.mute, on: .bass, to: true), .set(.solo, on: .chords, to: true), .set(.gain, on: .rhythm, to: -6),
        .set(.pan, on: .melody, to: 0.5),
    ]

    /// Applies the changes, and returns for each whether it changed anything.
    private func apply(_ changes: [DocumentChange], to document: inout Document) -> [Bool] {
        changes.map { document.apply($0) }
    }

    @Test(arguments: settings)
    func `a setting changes something the first time, nothing the second time, and is no undo step`(
        change: DocumentChange
    ) {
        var document = Document()
        let results = apply([change, change], to: &document)
        #expect(results == [true, false])
        #expect(document != Document())
        #expect(document.history.undoCount == 0)
    }

    @Test func `an edit that changes nothing is no undo step and keeps the redo side`() {
        var document = Document()
        let results = apply([Self.edit, Self.edit, .undo, .clear(Pattern()), .redo], to: &document)
        #expect(results == [true, false, true, false, true])
        #expect(document.pattern[Self.slot] == Self.notes)
    }

    @Test func `undo, redo and retract change nothing when there is no step`() {
        var document = Document()
        let results = apply([.undo, .redo, .retract], to: &document)
        #expect(results == [false, false, false])
        #expect(document == Document())
    }

    @Test func `retracting an edit brings back the redo side that it dropped`() {
        var document = Document()
        _ = apply([Self.edit, .undo], to: &document)
        let before = document
        let results = apply([.edit([Slot(.rhythm, 0): Self.notes]), .redo, .retract], to: &document)
        #expect(results == [true, false, true])
        #expect(document == before)
    }

    @Test func `swing, length, gain and pan are clamped into their ranges`() {
        var document = Document()
        _ = apply(
            [
                .set(.swing, to: 2), .set(.length, to: 1), .set(.gain, on: .bass, to: 99),
                .set(.pan, on: .bass, to: -3),
            ], to: &document)
        #expect(document.pattern.swing == 0.75)
        #expect(document.pattern.length == 8)
        #expect(document.number(.gain, .bass) == 12)
        #expect(document.number(.pan, .bass) == -1)
    }
}
