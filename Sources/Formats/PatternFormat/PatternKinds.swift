import Grid
import JSON
import Music

extension Kind<String> {
    /// The name of a pattern, counted in Unicode scalars.
    static let patternName = anyPatternName.filtered(expected: nameExpectation) { !$0.hasControlCharacters }
        .described(as: ["maxLength": .integer(Pattern.longestName), "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"])

    /// The same in files, where control characters become spaces.
    static let repairedPatternName = anyPatternName.refined(
        expected: nameExpectation, { $0.replacingControlCharacters(with: " ") }, back: { $0 })

    private static let anyPatternName = Kind.string.filtered(expected: nameExpectation) {
        $0.unicodeScalars.count <= Pattern.longestName
    }

    private static let nameExpectation =
        "a string of at most \(Pattern.longestName) characters without control characters"
}

extension Kind<Int> {
    /// A moment, as seconds since 1970-01-01 UTC.
    static let date = Kind<String>.string
        .refined(
            expected: "a date like 2026-01-02T12:34:56Z", { Timestamp.seconds(text: $0) },
            back: { Timestamp.text(seconds: $0) ?? "" }
        )
        .described(as: ["format": "date-time"])

    /// A note of a track, as the MIDI pitch that it is heard at.
    static func pitch(of track: Track) -> Kind { pitches[track.rawValue] }

    private static let pitches = Track.allCases.map { track in
        let range = track.midiPitch(of: 0)...track.midiPitch(of: Track.noteCount - 1)
        return Kind.integer.refined(
            expected: track.isPitched
                ? "a MIDI pitch of \(track.name), \(range.lowerBound) to \(range.upperBound)"
                : "the General MIDI key of one of the \(Drum.allCases.count) drums",
            { track.note(atMIDIPitch: $0) }, back: { track.midiPitch(of: $0) }
        )
        .described(
            as: track.isPitched
                ? ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
                : ["enum": .array((0..<Track.noteCount).map { .integer(track.midiPitch(of: $0)) })])
    }

    /// A step, as the column of the grid that it is in.
    fileprivate static let column = Kind(
        expected: columnOfStep,
        schema: [
            "type": "integer", "minimum": .integer(Layout.stepColumns.lowerBound),
            "maximum": .integer(Layout.stepColumns.upperBound),
            "not": ["enum": .array(Layout.stepColumns.filter(Layout.isSeparator(column:)).map { .integer($0) })],
        ],
        throwing: { (value) throws(FieldError) in
            guard let column = value.intValue, let step = Layout.step(atColumn: column) else {
                throw FieldError(expected: columnOfStep, found: value)
            }
            guard !Layout.isSeparator(column: column) else {
                throw FieldError(field: "", problem: .invalid("\(column) is a bar separator"))
            }
            return step
        }, writing: { .integer(Layout.column(ofStep: $0)) })

    private static let columnOfStep =
        "the column of a step, \(Layout.stepColumns.lowerBound) to \(Layout.stepColumns.upperBound)"
}

extension Kind<Velocity> {
    /// The velocities of a note in a file.
    static let soundingVelocity = Kind.one(of: Velocity.allCases.filter { $0 != .off }) { $0.name }
}

extension PatternFormat.Columns {
    /// The steps that are read from `col`.
    var kind: Kind<Int> {
        switch self {
        case .grid: .column
        case .step: .step
        }
    }
}

extension Kind where Value: Named {
    /// One of an enumeration's values, by its name in files and on the control socket.
    public static var name: Kind { one(of: Array(Value.allCases)) { $0.name } }
}

extension Kind<Int> {
    /// A step, hidden or not.
    public static let step = Kind.integer(in: 0...SlotNotes.stepCount - 1)
}
