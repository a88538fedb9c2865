import Music
import Testing

struct DocumentChangeTests {
    private static let notes = {
        var cells = Cells()
        cells[.melody, 4, 0] = .accent
        return cells
    }()

    private static let settings: [DocumentChange] = [
        .setName("Night"), .set(.tempo, to: 90), .set(.swing, to: 0.6), .set(.scale, to: "minor"),
        .set(.root, to: "A"), .set(.length, to: 16), .set(.colors, to: "harmonic"), .set(.ghosts, to: false),
        .set(.mute, on: .bass, to: true), .set(.solo, on: .chords, to: true), .set(.gain, on: .rhythm, to: -6),
        .set(.pan, on: .melody, to: 0.5),
    ]

    /// Makes the changes and tells of each whether it changed anything.
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

    @Test func `an edit that writes what is there is no undo step and keeps the redo side`() {
        var document = Document()
        let results = apply([.edit(Self.notes), .edit(Self.notes), .undo, .edit(Cells()), .redo], to: &document)
        #expect(results == [true, false, true, false, true])
        #expect(document.pattern.cells == Self.notes)
    }

    @Test func `undo, redo, retract and amend change nothing when there is nothing to go to`() {
        var document = Document()
        let results = apply([.undo, .redo, .retract, .amend(Self.notes)], to: &document)
        #expect(results == [false, false, false, false])
        #expect(document == Document())
    }

    @Test func `an amendment that changes nothing is no event in the history`() {
        var document = Document()
        _ = apply([.edit(Self.notes)], to: &document)
        let revision = document.history.revision
        let results = apply([.amend(Self.notes)], to: &document)
        #expect(results == [false])
        #expect(document.history.revision == revision)
    }

    @Test func `retracting an edit brings back the redo side that it dropped`() {
        var document = Document()
        _ = apply([.edit(Self.notes), .undo], to: &document)
        let before = document
        var other = Cells()
        other[.rhythm, 0, 0] = .normal
        let results = apply([.edit(other), .redo, .retract], to: &document)
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
