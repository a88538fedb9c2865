import Music
import TestSupport
import Testing

/// A new start: an empty pattern, and the mixer of a new instrument.
struct NewStartTests {
    /// A document in which everything differs from a new one: notes in all slots of all tracks, every parameter, the
    /// name, what plays, bindings and history.
    private static let used = {
        var document = Document()
        for track in Track.allCases {
            for index in 0..<Slot.count {
                var notes = SlotNotes()
                notes[index][track.rawValue] = .accent
                document.apply(.edit([Slot(track, index): notes]))
            }
        }
        document.launch(Slot.scene(4))
        document.apply(.setName("Night"))
        document.apply(
            .bind(
                MidiBinding(
                    on: MidiTrigger(.controller, channel: 1, number: 99), to: MidiAction("tempo.set", value: "bpm"))))
        for (parameter, track) in parameters {
            let kind = parameter.row.kind(on: track)
            let other = [0, 127].map(kind.value(atController:)).first { $0 != parameter.row.defaultValue(on: track) }
            document.set(parameter, on: track, to: other!)
        }
        return document
    }()

    private static let parameters: [(Parameter, Track?)] =
        Parameter.ofWhole.map { ($0, nil) }
        + Track.allCases.flatMap { track in Parameter.of(track).map { ($0, track) } }

    private func settings(_ document: Document, _ homes: [ParameterRow.Home]) -> [ParameterValue] {
        Self.parameters.filter { homes.contains($0.0.row.home) }.map { document[$0.0, $0.1] }
    }

    @Test func `it empties all slots, and resets the pattern's parameters and the mixer, but nothing else`() {
        var document = Self.used
        let isNew = document.apply(.startNew)
        #expect(isNew)
        #expect(document.pattern == .ofNewInstrument)
        #expect(settings(document, [.mixer]) == settings(.ofNewInstrument, [.mixer]))
        #expect(settings(document, [.instrument]) == settings(Self.used, [.instrument]))
        #expect(document.bindings == Self.used.bindings)
        #expect(document.history.undoCount == Self.used.history.undoCount + 1)
    }

    @Test func `one undo restores everything that it changed, and redo changes it again`() {
        var document = Self.used
        document.apply(.startNew)
        // Undo and redo also overwrite later settings.
        document.set(.gain, on: .bass, to: -12)
        document.set(.tempo, to: 77)
        document.apply(.undo)
        #expect(document.pattern == Self.used.pattern)
        #expect(settings(document, [.mixer]) == settings(Self.used, [.mixer]))
        document.set(.pan, on: .melody, to: 0.25)
        document.apply(.redo)
        #expect(document.pattern == .ofNewInstrument)
        #expect(settings(document, [.mixer]) == settings(.ofNewInstrument, [.mixer]))
    }

    @Test func `the undo of a load leaves the mixer alone`() {
        var document = Self.used
        document.apply(.replacePattern(Pattern()))
        document.set(.gain, on: .bass, to: -12)
        document.apply(.undo)
        #expect(document.number(.gain, .bass) == -12)
    }

    @Test func `it is one step if only the mixer differs, and none if nothing does`() {
        var document = Document.ofNewInstrument
        var isNew = document.apply(.startNew)
        #expect(!isNew && document == .ofNewInstrument)
        document.set(.solo, on: .bass, to: true)
        isNew = document.apply(.startNew)
        #expect(isNew && document.soloedTrack == nil && document.history.undoCount == 1)
        document.apply(.undo)
        #expect(document.soloedTrack == .bass)
    }

    @Test func `it counts as replacing the pattern, and so do its undo and redo`() {
        var document = Self.used
        for change in [DocumentChange.startNew, .undo, .redo] {
            #expect(document.replacesPattern(by: change))
            document.apply(change)
        }
    }
}
