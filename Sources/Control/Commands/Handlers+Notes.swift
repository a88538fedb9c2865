import JSON
import Music
import PatternFormat
import Session
import Wire

// Notes and their history.
extension Handlers {
    static let notes: [Handler] = [
        Handler(Methods.note) { call, parameters in
            let (track, step, note, velocity, slot, values) = parameters
            let whole = Note(velocity, values)
            try call.perform(.setNote(track, slot: slot.map { $0 - 1 }, step: step, note: note, whole))
        },
        Handler(Methods.adjustNotes) { call, parameters in
            let (track, step, note, slot, values) = parameters
            try call.perform(.adjustNotes(track, slot: slot.map { $0 - 1 }, step: step, note: note, values))
        },
        Handler(encoded: Methods.pattern) { call, _ in
            PatternFormat.encode(call.ask { $0.document.pattern }).bytes
        },
        Handler(Methods.setPattern) { call, pattern in
            try call.perform(.change([.replacePattern(try pattern.get())]))
        },
        Handler(Methods.newPattern) { call, _ in try call.perform(.change([.startNew])) },
        Handler(Methods.clear) { call, _ in
            try call.perform(.change([.clear(call.ask { $0.document.pattern })]))
        },
        historyHandler(Methods.undo, .undo),
        historyHandler(Methods.redo, .redo),
    ]

    private static func historyHandler(_ method: Method<Void, HistoryCounts>, _ change: DocumentChange) -> Handler {
        Handler(method) { call, _ in
            try call.perform(.change([change]))
            return HistoryCounts(call.ask { $0.document.history })
        }
    }
}
