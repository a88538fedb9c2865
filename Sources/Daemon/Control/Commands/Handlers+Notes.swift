import Instrument
import JSON
import Music
import PatternFormat
import Session
import Wire

// Notes and their history.
extension Handlers {
    static let notes: [Handler] = [
        Handler(Methods.note) { call, cell in
            let note = Note(cell.velocity, cell.values)
            try call.perform(
                .setNote(cell.track, slot: cell.slot.map { $0 - 1 }, step: cell.step, note: cell.note, note))
        },
        Handler(Methods.adjustNotes) { call, change in
            let slot = change.slot.map { $0 - 1 }
            try call.perform(
                .adjustNotes(change.track, slot: slot, step: change.step, note: change.note, change.values))
        },
        Handler(deferredEncoded: Methods.pattern) { call, _ in
            // Encoding a full pattern takes longer than a client's turn.
            let pattern = call.ask { $0.document.pattern }
            return Deferred { _ in PatternFormat.encode(pattern).bytes }
        },
        Handler(Methods.setPattern) { call, pattern in
            try call.perform(.change([.replacePattern(try pattern.get())]))
        },
        Handler(Methods.newPattern) { call, _ in try call.perform(.change([.startNew])) },
        Handler(Methods.clear) { call, _ in
            try call.perform(.change([.clear(call.ask { $0.document.pattern })]))
        },
        historyHandler(Methods.undo, .undo, \.nextUndo),
        historyHandler(Methods.redo, .redo, \.nextRedo),
    ]

    private static func historyHandler(
        _ method: Method<Void, HistoryReply>, _ change: DocumentChange, _ next: KeyPath<History, String?> & Sendable
    ) -> Handler {
        Handler(method) { call, _ in
            let what = call.ask { $0.document.history[keyPath: next] }
            try call.perform(.change([change]))
            let history = call.ask { $0.document.history }
            return HistoryReply(undo: history.undoCount, redo: history.redoCount, what: what)
        }
    }
}

// Lenses, and what the dice decide.
extension Handlers {
    static let lenses: [Handler] = [
        Handler(Methods.setLens) { call, parameters in
            let (track, lens) = parameters
            try call.perform(.look(track, through: lens))
        },
        Handler(Methods.resetLens) { call, parameters in
            let (track, lens) = parameters
            try call.perform(.reset(track, lens))
        },
        Handler(Methods.rollDice) { call, _ in
            let seed = call.ask { $0.document.dice.nextSeed }
            try call.perform(.set(.diceSeed, to: .number(Double(seed))))
            return seed
        },
        Handler(Methods.freezeDice) { call, track in
            // The clock may have advanced since it was polled.
            let now = call.now
            call.ask { $0.catchUp(to: now) }
            try call.perform(.freeze(track))
        },
        Handler(Methods.setFill) { call, isOn in try call.perform(.fill(isOn)) },
    ]
}

// How parameters move while a slot plays.
extension Handlers {
    static let motions: [Handler] = [
        Handler(Methods.setMotion) { call, point in
            let range = point.parameter.row.kind(on: point.track)
            if let value = point.value, range.checked(.number(value)) == nil {
                throw FieldError(field: "value", expected: range.expected, found: .number(value))
            }
            try call.editMotions(of: point.track, point.slot) { $0[point.parameter, point.step] = point.value }
        },
        Handler(Methods.clearMotion) { call, parameters in
            let (track, parameter, number) = parameters
            try call.editMotions(of: track, number) { motions in
                for parameter in parameter.map({ [$0] }) ?? Parameter.movable { motions.clear(parameter) }
            }
        },
        Handler(Methods.motion) { call, parameters in
            let (track, number) = parameters
            let pattern = call.ask { $0.document.pattern }
            return pattern[pattern.slot(of: track, number)].motions
        },
    ]
}

extension MethodCall {
    /// Changes how parameters of a slot move, as one undo step.
    fileprivate func editMotions(of track: Track, _ number: Int?, _ edit: (inout Motions) -> Void) throws {
        let pattern = ask { $0.document.pattern }
        let slot = pattern.slot(of: track, number)
        var notes = pattern[slot]
        edit(&notes.motions)
        try perform(.change([.edit([slot: notes])]))
    }
}

extension Pattern {
    /// A track's slot by its number, or the playing one for nil.
    func slot(of track: Track, _ number: Int?) -> Slot {
        number.map { Slot(track, $0 - 1) } ?? playing[track]
    }
}
