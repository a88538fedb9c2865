import Music
import TestSupport
import Testing

/// Slots, compared with a simple model: 32 lists of notes, and which of them play.
@Suite struct SlotTests {
    /// What a document with slots should do, in plain code.
    private struct Model: Equatable {
        var slots = [Slot: SlotNotes]()
        var playing = PlayingSlots()
        var length = 32

        subscript(slot: Slot) -> SlotNotes {
            get { slots[slot] ?? SlotNotes() }
            set { slots[slot] = newValue.isEmpty ? nil : newValue }
        }

        init() {}

        init(_ document: Document) {
            playing = document.pattern.playing
            length = document.pattern.length
            for track in Track.allCases {
                for index in 0..<Slot.count { self[Slot(track, index)] = document.pattern[Slot(track, index)] }
            }
        }
    }

    private func randomNotes(_ random: inout SeededGenerator) -> SlotNotes {
        var notes = SlotNotes()
        // Heads only: how a length affects sustain cells is not tested here.
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let note = Int.random(in: 0..<Track.noteCount, using: &random)
            notes[Int.random(in: 0..<SlotNotes.stepCount, using: &random)][note] = .accent
        }
        if Bool.random(using: &random) { notes.motions = .random(using: &random) }
        return notes
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `edits, launches, copies, undo, redo and loads do what a simple model does`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var document = Document()
        var model = Model()
        // What each undo step leads back to, and forward to: whole models for a load, else the slots written.
        enum Step {
            case slots([Slot: (before: SlotNotes, after: SlotNotes)])
            case all(before: Model, after: Model)
        }
        var (undoable, redoable): ([Step], [Step]) = ([], [])
        func write(_ slots: [Slot: SlotNotes]) {
            let changed = slots.filter { model[$0.key] != $0.value }
            guard !changed.isEmpty else { return }
            undoable.append(
                .slots(Dictionary(uniqueKeysWithValues: changed.map { ($0.key, (model[$0.key], $0.value)) })))
            undoable = undoable.suffix(History.capacity)
            redoable = []
            for (slot, notes) in changed { model[slot] = notes }
        }
        for _ in 0..<400 {
            let slot = Slot.all.randomElement(using: &random)!
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3:
                let notes = randomNotes(&random)
                document.apply(.edit([document.pattern.playing[slot.track]: notes]))
                write([model.playing[slot.track]: notes])
            case 3:
                let notes = document.pattern[Slot(slot.track, (slot.index + 3) % 8)]
                document.apply(.edit([slot: notes]))
                write([slot: notes])
            case 4:
                let notes = Dictionary(uniqueKeysWithValues: Slot.scene(slot.index).map { ($0, randomNotes(&random)) })
                document.apply(.edit(notes))
                write(notes)
            case 5..<8:
                let slots = Bool.random(using: &random) ? [slot] : Slot.scene(slot.index)
                document.apply(.launch(slots))
                for slot in slots { model.playing.play(slot) }
            case 8:
                document.apply(.set(.length, to: .number(Double(Int.random(in: 8...32, using: &random)))))
                model.length = document.pattern.length
            case 9:
                var pattern = Pattern()
                pattern.playing.play(slot)
                pattern[Slot(slot.track, 0)] = randomNotes(&random)
                let before = model
                guard document.apply(.replacePattern(pattern)) else { continue }
                model = Model(Document(pattern: pattern))
                undoable = (undoable + [.all(before: before, after: model)]).suffix(History.capacity)
                redoable = []
            case 10:
                #expect(document.apply(.undo) == !undoable.isEmpty)
                guard let step = undoable.popLast() else { continue }
                redoable.append(step)
                switch step {
                case .slots(let slots): for (slot, sides) in slots { model[slot] = sides.before }
                case .all(let before, _): model = before
                }
            default:
                #expect(document.apply(.redo) == !redoable.isEmpty)
                guard let step = redoable.popLast() else { continue }
                undoable.append(step)
                switch step {
                case .slots(let slots): for (slot, sides) in slots { model[slot] = sides.after }
                case .all(_, let after): model = after
                }
            }
            guard Model(document) == model else {
                Issue.record("the document differs from the model")
                return
            }
        }
    }

    @Test func `undo and redo change the slot of an edit even if it no longer plays`() {
        var document = Document()
        var cells = Cells()
        cells[.bass, 3, 0] = .normal
        document.edit(cells)
        document.launch([Slot(.bass, 4)])
        #expect(document.pattern.cells.isEmpty)
        document.apply(.undo)
        #expect(document.pattern.cells.isEmpty && !document.pattern.isFilled(Slot(.bass, 0)))
        document.apply(.redo)
        #expect(document.pattern.cells.isEmpty && document.pattern.isFilled(Slot(.bass, 0)))
        #expect(document.pattern.playing[.bass].index == 4)
    }

    @Test func `an amendment after another slot was launched is a step of its own`() {
        var document = Document()
        var cells = Cells()
        cells[.melody, 3, 0] = .normal
        document.edit(cells)
        document.launch(Slot.scene(1))
        var other = Cells()
        other[.melody, 5, 0] = .normal
        for change in document.amendment(document.pattern.slots(other)) { document.apply(change) }
        #expect(document.history.undoCount == 2)
        document.apply(.undo)
        #expect(document.pattern[Slot(.melody, 0)] == cells[.melody])
        #expect(document.pattern.cells.isEmpty)
    }

    @Test func `launching the playing slots changes nothing`() {
        var document = Document()
        let isDifferent = document.apply(.launch(Slot.scene(0)))
        #expect(!isDifferent && document == Document())
    }
}
