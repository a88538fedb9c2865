import JSON
import Music
import PatternFormat
import Session
import Wire

extension MethodTable {
    /// Notes and their history.
    static let notes: [Method] = [
        Method(
            "note.set", "Sets one cell; on melody the step's other notes go.",
            .required("track", .track, "The track."),
            .required("step", .step, "The step; hidden ones too."),
            .required("note", .integer(in: 0...Track.noteCount - 1), "Semitones above the track's C, or the drum."),
            .required("velocity", .velocity, "What the cell is to hold."),
            result: Schemas.empty
        ) { call, track, step, note, velocity in
            try call.perform(.setNote(track, step: step, note: note, velocity))
            return .nothing
        },
        Method("pattern.get", "Returns the pattern, as in files.", result: Schemas.pattern) { call in
            .encoded(PatternFormat.encode(call.ask { $0.document.pattern }).bytes)
        },
        Method(
            "pattern.set", "Replaces the pattern; one undo step.",
            .required("pattern", .pattern, "The pattern, as in files."),
            result: Schemas.empty
        ) { call, pattern in
            try call.perform(.setPattern(try pattern.get()))
            return .nothing
        },
        Method("pattern.clear", "Clears all tracks; one undo step.", result: Schemas.empty) { call in
            try call.perform(.clear)
            return .nothing
        },
        historyMethod("history.undo", "Undoes one step, if there is one.", .undo),
        historyMethod("history.redo", "Redoes one step, if there is one.", .redo),
    ]

    private static func historyMethod(_ name: String, _ summary: String, _ command: Command) -> Method {
        Method(name, summary, result: Schemas.history) { call in
            try call.perform(command)
            return .value(HistoryCounts(call.ask { $0.document.history }).json)
        }
    }
}

extension Kind<Result<Pattern, PatternError>> {
    /// A pattern, or what is wrong with it.
    fileprivate static let pattern = Kind<JSONObject>.object.described(as: Schemas.pattern)
        .refined(expected: "an object") { object in
            Result { () throws(PatternError) in try PatternFormat.decode(.object(object)) }
        }
}
