import JSON
import Music
import PatternFormat

// Notes and their history.
extension Methods {
    public static let note = Method(
        "note.set",
        "Sets one cell; on melody this removes the step's other notes. Values not given are those of a new note.",
        .required("track", Kind<Track>.name, "The track."),
        .required("step", .step, "The step; hidden ones too."),
        .required("note", noteNumber, "Semitones above the track's C, or the drum."),
        .required("velocity", Kind<Velocity>.name, "What to put into the cell."), slotOfNote, .noteValues,
        make: NoteCall.init(_:step:note:_:slot:values:),
        values: { ($0.track, $0.step, $0.note, $0.velocity, $0.slot, $0.values) },
        result: .nothing, example: .init(["track": "bass", "step": 0, "note": 7, "velocity": "accent"], returns: [:]))

    public static let adjustNotes = Method(
        "note.adjust", "Changes only the given values of the notes that start on a step.",
        .required("track", Kind<Track>.name, "The track."),
        .required("step", .step, "The step; hidden ones too."),
        MethodParameter<Int?>.optional(
            "note", noteNumber, "The note; by default all that start on the step."),
        slotOfNote, .noteValues, make: NoteAdjustment.init(_:step:note:slot:values:),
        values: { ($0.track, $0.step, $0.note, $0.slot, $0.values) }, result: .nothing,
        example: .init(["track": "bass", "step": 0, "level": -6], returns: [:]))

    private static let noteNumber = Kind.integer(in: 0...Track.noteCount - 1)
    private static let slotOfNote = MethodParameter<Int?>.optional(
        "slot", .slotNumber, "The slot; by default the one that plays.")

    public static let pattern = Method(
        "pattern.get", "Returns the pattern, as in files.", result: Kind<JSONValue>.pattern,
        example: .init(returns: PatternFormat.encode(Pattern())))

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

    public static let newPattern = Method(
        "pattern.new",
        "Empties all slots, and gives tempo, swing, key, length, sounds and mixer the values of a new instrument; one undo step.",
        result: .nothing, example: .init(returns: [:]))

    public static let clear = Method(
        "pattern.clear", "Clears all tracks; one undo step.", result: .nothing, example: .init(returns: [:]))

    public static let undo = Method(
        "history.undo", "Undoes one step, if there is one, and returns how many are left, and what it changed.",
        result: HistoryReply.kind, example: .init(returns: ["undo": 0, "redo": 0]))

    public static let redo = Method(
        "history.redo", "Redoes one step, if there is one, and returns how many are left, and what it changed.",
        result: HistoryReply.kind, example: .init(returns: ["undo": 0, "redo": 0]))

    static let notes = [
        note.description, adjustNotes.description, pattern.description, setPattern.description,
        newPattern.description, clear.description.bindable(),
        undo.description.bindable(), redo.description.bindable(),
    ]
}

extension MethodParameter where Value == [NoteValue: Int] {
    /// Note values, each a parameter.
    fileprivate static let noteValues = MethodParameter(
        descriptions: NoteValue.allCases.map {
            ParameterDescription($0.row.name, $0.kind, $0.row.summary, isRequired: false)
        },
        read: { (fields) throws(FieldError) in try fields.noteValues() },
        write: { values in
            JSONObject(NoteValue.allCases, named: \.row.name) { value in values[value].map(value.kind.json(of:)) }
        })
}

extension Kind<JSONValue> {
    /// A pattern as in files, left for the caller to read.
    fileprivate static let pattern = Kind(
        expected: "an object", schema: PatternFormat.schema,
        reading: { $0.objectValue.map { .object($0) } }, writing: { $0 })
}

extension Kind<Result<Pattern, PatternError>> {
    /// A pattern, or the error in it, which names the place as in the file.
    fileprivate static let pattern = Kind(
        expected: "an object", schema: PatternFormat.schema,
        reading: { value in
            value.objectValue.map { _ in
                Result { () throws(PatternError) in try PatternFormat.decode(value) }
            }
        }, writing: { (try? $0.get()).map { PatternFormat.encode($0) } ?? [:] })
}
