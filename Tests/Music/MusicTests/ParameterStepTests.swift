import Music
import TestSupport
import Testing

/// Changes of sounds and of the mixer as undo steps.
@Suite struct ParameterStepTests {
    @Test func `undo restores the value from before, whatever has moved it since, and redo the step's`() {
        var document = Document()
        document.apply(.adjust(.gain, on: .bass, to: -6))
        document.set(.gain, on: .bass, to: -20)
        #expect(document.history.undoCount == 1)
        document.apply(.undo)
        #expect(document[.gain, .bass] == 0)
        document.set(.gain, on: .bass, to: 3)
        document.apply(.redo)
        #expect(document[.gain, .bass] == -6)
    }

    @Test func `continued changes are one step in the place of the first, even if others edit in between`() {
        var document = Document()
        document.apply(.adjust(.tone, on: .melody, to: 2))
        document.apply(.edit([Slot(.rhythm, 0): .withAccent]))
        document.apply(.adjust(.tone, on: .melody, to: 5, continues: true))
        document.apply(.adjust(.tone, on: .bass, to: 1))
        document.apply(.adjust(.tone, on: .melody, to: 7, continues: true))
        #expect(document.history.undoCount == 3 && document[.tone, .melody] == 7)
        document.apply(.undo)
        #expect(document[.tone, .bass] == 0 && document[.tone, .melody] == 7)
        document.apply(.undo)
        #expect(document.pattern.cells.count == 0 && document[.tone, .melody] == 7)
        document.apply(.undo)
        #expect(document[.tone, .melody] == 0)
        document.apply(.redo)
        #expect(document[.tone, .melody] == 7)
    }

    @Test func `a change to the same value is no step and keeps the redo side`() {
        var document = Document()
        document.apply(.edit([Slot(.rhythm, 0): .withAccent]))
        document.apply(.undo)
        let isChanged = document.apply(.adjust(.pan, on: .bass, to: 0))
        #expect(!isChanged && document.history.undoCount == 0 && document.history.redoCount == 1)
        document.apply(.adjust(.pan, on: .bass, to: 1))
        #expect(document.history.redoCount == 0)
    }

    @Test func `an undo after a sound was chosen brings the sound back, and not a motion's points`() {
        var document = Document()
        var notes = SlotNotes()
        notes.motions[.gain, 0] = -6
        document.apply(.edit([Slot(.bass, 0): notes]))
        document.apply(.adjust(.preset, on: .bass, to: "Acid"))
        document.apply(.undo)
        #expect(document[.preset, .bass] == "Saw" && document.pattern[.bass].motions == notes.motions)
    }

    @Test func `steps tell in words what they change`() {
        var document = Document()
        func words(_ change: (inout Document) -> Void) -> String? {
            change(&document)
            return document.history.nextUndo
        }
        #expect(document.history.nextUndo == nil && document.history.nextRedo == nil)
        #expect(words { $0.apply(.adjust(.preset, on: .bass, to: "Acid")) } == "the preset of Bass")
        #expect(words { $0.apply(.adjust(.reverbTime, to: 3)) } == "the reverb time")
        #expect(words { $0.apply(.edit([Slot(.rhythm, 0): .withAccent])) } == "the notes of Rhythm")
        #expect(
            words {
                let slots = [Track.melody, .chords, .bass].map { (Slot($0, 0), SlotNotes.withAccent) }
                $0.apply(.edit(Dictionary(uniqueKeysWithValues: slots)))
            } == "the notes of Melody, Chords and Bass")
        #expect(words { $0.apply(.clear($0.pattern)) } == "the notes of all tracks")
        var notes = SlotNotes()
        notes.motions[.tone, 3] = 4
        #expect(words { $0.apply(.edit([Slot(.bass, 0): notes])) } == "the motions of Bass")
        notes.length = 7
        #expect(words { $0.apply(.edit([Slot(.bass, 0): notes])) } == "the length of Bass")
        notes.speed = .quadruple
        #expect(words { $0.apply(.edit([Slot(.bass, 0): notes])) } == "the speed of Bass")
        var other = Pattern()
        other.name = "Other"
        #expect(words { $0.apply(.replacePattern(other)) } == "the pattern")
        #expect(words { $0.apply(.startNew) } == "the new pattern")
        document.apply(.undo)
        #expect(document.history.nextUndo == "the pattern" && document.history.nextRedo == "the new pattern")
    }

    @Test func `a load is undone with name and sounds`() {
        var document = Document()
        document.apply(.setName("Mine"))
        document.set(.preset, on: .bass, to: "Acid")
        var other = Pattern()
        other.name = "Other"
        other.parameters.set(.preset, on: .bass, to: "Pick")
        document.apply(.replacePattern(other))
        document.apply(.undo)
        #expect(document.pattern.name == "Mine" && document[.preset, .bass] == "Acid")
        document.apply(.redo)
        #expect(document.pattern.name == "Other" && document[.preset, .bass] == "Pick")
    }

    @Test func `sounds and mixer are in the history, except what silences`() {
        let parameters = Parameter.allCases.filter(\.isInHistory)
        #expect(
            Set(parameters) == [
                .gain, .pan, .tone, .preset, .kit, .reverb, .delay, .duck, .reverbTime, .reverbLevel, .reverbEarly,
                .reverbLowCut, .delaySteps, .delayFeedback, .delayLevel, .loud, .drift, .width, .filter, .resonance,
                .drive, .lfoTo, .lfoShape, .lfoRate, .lfoDepth, .dynamics, .sway, .places,
            ])
    }
}

extension SlotNotes {
    fileprivate static var withAccent: SlotNotes {
        var notes = SlotNotes()
        notes[4][4] = .accent
        return notes
    }
}
