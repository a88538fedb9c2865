import Music
import TestSupport

@testable import Store

extension DocumentChange {
    /// The cases. A new one does not compile here until it is listed, and then fails a test until ``random(for:using:)``
    /// makes it.
    enum Kind: CaseIterable {
        case edit, launch, replacePattern, startNew, undo, redo, retract, setName, bind, unbind, set, adjust
    }

    var kind: Kind {
        switch self {
        case .edit: .edit
        case .launch: .launch
        case .replacePattern: .replacePattern
        case .startNew: .startNew
        case .undo: .undo
        case .redo: .redo
        case .retract: .retract
        case .setName: .setName
        case .bind: .bind
        case .unbind: .unbind
        case .set: .set
        case .adjust: .adjust
        }
    }

    /// A change that a performer might make to a document.
    static func random(for document: Document, using generator: inout some RandomNumberGenerator) -> DocumentChange {
        let track = Track.allCases.randomElement(using: &generator)!
        let slot = Slot(track, .random(in: 0..<Slot.count, using: &generator))
        return switch Int.random(in: 0..<31, using: &generator) {
        case 0..<8: .edit(document.pattern.slots(document.pattern.cells.altered(using: &generator)))
        case 8: .replacePattern(Pattern.random(using: &generator))
        case 9..<12: .undo
        case 12: .redo
        case 13: .retract
        case 14: .setName(["", "Nacht", "夜\u{1f319}"].randomElement(using: &generator)!)
        case 24, 25: .launch(Bool.random(using: &generator) ? [slot] : Slot.scene(slot.index))
        case 26: .edit([slot: Cells().altered(using: &generator)[track]])
        case 27:
            .edit(Dictionary(uniqueKeysWithValues: Slot.scene(slot.index).map { ($0, document.pattern[slot]) }))
        case 28: .bind(MidiBinding(on: .random(using: &generator), to: .random(for: track, using: &generator)))
        case 29: .unbind(document.bindings.all.randomElement(using: &generator)?.trigger ?? .random(using: &generator))
        case 30: .startNew
        case 15..<19: .random(Parameter.ofWhole.randomElement(using: &generator)!, using: &generator)
        default: .random(Parameter.of(track).randomElement(using: &generator)!, on: track, using: &generator)
        }
    }

    private static func random(
        _ parameter: Parameter, on track: Track? = nil, using generator: inout some RandomNumberGenerator
    ) -> DocumentChange {
        let value = ParameterValue.random(parameter.row.kind(on: track), using: &generator)
        guard parameter.isInHistory, Bool.random(using: &generator) else {
            return .set(parameter, on: track, to: value)
        }
        return .adjust(parameter, on: track, to: value, continues: .random(using: &generator))
    }
}

extension MidiTrigger {
    fileprivate static func random(using generator: inout some RandomNumberGenerator) -> MidiTrigger {
        MidiTrigger(
            Source.allCases.randomElement(using: &generator)!, channel: [nil, 1, 16].randomElement(using: &generator)!,
            number: .random(in: 0..<128, using: &generator))
    }
}

extension MidiAction {
    fileprivate static func random(
        for track: Track, using generator: inout some RandomNumberGenerator
    ) -> MidiAction {
        [
            MidiAction("history.undo"), MidiAction("tempo.set", value: "bpm"),
            MidiAction("track.set", ["track": .choice(track.name)], value: "gain"),
            MidiAction("track.set", ["track": .choice(track.name), "gain": -4.5, "mute": true]),
            MidiAction("sync.set", ["lead": .selection(["midi"])]),
        ].randomElement(using: &generator)!
    }
}

extension ParameterValue {
    /// A value that a parameter may have.
    static func random(_ kind: ParameterKind, using generator: inout some RandomNumberGenerator) -> ParameterValue {
        switch kind {
        case .number(let range, _, let decimals, _):
            if decimals == nil { .number(.random(in: range, using: &generator)) } else { .number(range.upperBound) }
        case .integer(let range, _): .number(Double(Int.random(in: range, using: &generator)))
        case .numbers(let numbers, _): .number(Double(numbers.randomElement(using: &generator)!))
        case .toggle: .toggle(.random(using: &generator))
        case .choice(let names): .choice(names.randomElement(using: &generator)!)
        case .name(let names): .choice((names + ["Dust", "Ünder"]).randomElement(using: &generator)!)
        case .selection(let names): .selection(names.filter { _ in .random(using: &generator) })
        }
    }
}

extension Cells {
    /// These cells with some changes.
    func altered(using generator: inout some RandomNumberGenerator) -> Cells {
        var cells = self
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let track = Track.allCases.randomElement(using: &generator)!
            let note = Int.random(in: 0..<Track.noteCount, using: &generator)
            let step = Int.random(in: 0..<SlotNotes.stepCount, using: &generator)
            cells[track, step][whole: note] = .random(using: &generator)
        }
        if Int.random(in: 0..<8, using: &generator) == 0 {
            let track = Track.allCases.randomElement(using: &generator)!
            cells[track].motions = .random(using: &generator)
        }
        return cells
    }
}

extension Pattern {
    static func random(using generator: inout some RandomNumberGenerator) -> Pattern {
        var pattern = Pattern()
        pattern.name = "\(UInt16.random(in: 0...UInt16.max, using: &generator))"
        pattern.cells = Cells().altered(using: &generator)
        for track in Track.allCases where Bool.random(using: &generator) {
            pattern.playing.play(Slot(track, .random(in: 0..<Slot.count, using: &generator)))
            pattern[track] = Cells().altered(using: &generator)[track]
        }
        pattern.length = .random(in: 8...32, using: &generator)
        pattern.bpm = .random(in: 20...300, using: &generator)
        pattern.swing = .random(in: 0.5...0.75, using: &generator)
        pattern.created = Bool.random(using: &generator) ? .random(in: -1...Int.max, using: &generator) : nil
        return pattern
    }
}

/// A performance: batches of changes, and the document after each.
struct EditSequence {
    private(set) var batches: [[DocumentChange]] = []
    /// The document before the first batch, and after each.
    private(set) var documents: [Document]

    init(from document: Document = Document(), batches count: Int, using generator: inout some RandomNumberGenerator) {
        documents = [document]
        var document = document
        for _ in 0..<count {
            var batch: [DocumentChange] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let change = DocumentChange.random(for: document, using: &generator)
                document.apply(change)
                batch.append(change)
            }
            batches.append(batch)
            documents.append(document)
        }
    }
}
