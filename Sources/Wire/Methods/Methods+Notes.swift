import JSON
import Music
import PatternFormat

// Notes and their history.
extension Methods {
    /// `note.set`
    public static let note = Method(
        "note.set", "Sets one cell; on melody the step's other notes go.",
        .required("track", Kind<Track>.name, "The track."),
        .required("step", .step, "The step; hidden ones too."),
        .required("note", .integer(in: 0...Track.noteCount - 1), "Semitones above the track's C, or the drum."),
        .required("velocity", Kind<Velocity>.name, "What the cell is to hold."),
        MethodParameter<Int?>.optional("slot", .slotNumber, "The slot; what plays unless told otherwise."),
        result: .nothing, example: .init(["track": "bass", "step": 0, "note": 7, "velocity": "accent"], returns: [:]))

    /// `pattern.get`
    public static let pattern = Method(
        "pattern.get", "Returns the pattern, as in files.", result: Kind<JSONValue>.pattern,
        example: .init(returns: PatternFormat.encode(Pattern())))

    /// `pattern.set`
    public static let setPattern = Method(
        "pattern.set", "Replaces the pattern; one undo step.",
        .required("pattern", Kind<Result<Pattern, PatternError>>.pattern, "The pattern, as in files."),
        result: .nothing,
        example: .init(
            [
                "pattern": [
                    "bpm": 96,
                    "tracks": ["bass": ["notes": [["col": 4, "row": 13, "pitch": 36, "velocity": "normal"]]]],
                ]
            ], returns: [:]))

    /// `pattern.clear`
    public static let clear = Method(
        "pattern.clear", "Clears all tracks; one undo step.", result: .nothing, example: .init(returns: [:]))

    /// `history.undo`
    public static let undo = Method(
        "history.undo", "Undoes one step, if there is one, and returns the steps that are left.",
        result: HistoryCounts.kind, example: .init(returns: ["undo": 0, "redo": 0]))

    /// `history.redo`
    public static let redo = Method(
        "history.redo", "Redoes one step, if there is one, and returns the steps that are left.",
        result: HistoryCounts.kind, example: .init(returns: ["undo": 0, "redo": 0]))

    static let notes = [
        note.description, pattern.description, setPattern.description, clear.description, undo.description,
        redo.description,
    ]
}

extension Kind<JSONValue> {
    /// A pattern as in files; who asked for it reads it.
    fileprivate static let pattern = Kind(
        expected: "an object", schema: PatternFormat.schema,
        reading: { $0.objectValue.map { .object($0) } }, writing: { $0 })
}

extension Kind<Result<Pattern, PatternError>> {
    /// A pattern, or what is wrong with it: its errors name places as in the file.
    fileprivate static let pattern = Kind(
        expected: "an object", schema: PatternFormat.schema,
        reading: { value in
            value.objectValue.map { _ in
                Result { () throws(PatternError) in try PatternFormat.decode(value) }
            }
        }, writing: { (try? $0.get()).map { PatternFormat.encode($0) } ?? [:] })
}
