import Grid
import JSON
import Music

/// Reads patterns from JSON objects.
struct PatternDecoder {
    let columns: PatternFormat.Columns
    /// Whether control characters in the name are replaced rather than refused.
    let repairsName: Bool

    func pattern(_ value: JSONValue) throws(PatternError) -> Pattern {
        do {
            return try pattern(Fields(object: value))
        } catch {
            throw PatternError(error)
        }
    }

    private func pattern(_ fields: Fields) throws(FieldError) -> Pattern {
        var pattern = Pattern()
        _ = try fields.optional("version", .constant(PatternFormat.version))
        try readSettings(fields, into: &pattern)
        try readPlaying(fields, into: &pattern)
        let tracks = Fields(try fields("tracks", .object))
        for track in Track.allCases {
            do {
                try tracks.inside(track.name) { (fields) throws(FieldError) in
                    pattern[track] = try readSlot(fields, track, of: pattern)
                }
            } catch {
                throw error.inside("tracks")
            }
        }
        try readSlots(fields, into: &pattern)
        return pattern
    }

    private func readSettings(_ fields: Fields, into pattern: inout Pattern) throws(FieldError) {
        if let name = try fields.optional("name", repairsName ? .repairedPatternName : .patternName) {
            pattern.name = name
        }
        pattern.created = try fields.optional("created", .date)
        pattern.modified = try fields.optional("modified", .date)
        for (member, parameter) in PatternFormat.members {
            try fields.read(parameter, at: member, into: &pattern.parameters)
        }
        try PatternFormat.readGroups(fields, into: &pattern.parameters)
        try fields.inside("sounds") { (sounds) throws(FieldError) in
            try PatternFormat.readSounds(sounds, into: &pattern.parameters)
        }
    }

    /// Reads the notes of a track, or of one of its slots.
    func readNotes(_ fields: Fields, _ track: Track) throws(FieldError) -> SlotNotes {
        var notes = SlotNotes()
        _ = try fields.optional("type", .constant(track.name))
        try fields.elements(of: "notes") { (fields) throws(FieldError) in
            try readNote(fields, track, into: &notes)
        }
        return notes
    }

    private func readNote(_ fields: Fields, _ track: Track, into notes: inout SlotNotes) throws(FieldError) {
        let step = try fields("col", columns.kind)
        let note = try fields("pitch", .pitch(of: track))
        let velocity = try fields("velocity", .soundingVelocity)
        guard notes[note, step] == .off else {
            throw FieldError(field: "", problem: .invalid("the same note comes twice on step \(step)"))
        }
        guard track != .melody || notes[step].isEmpty else {
            throw FieldError(field: "", problem: .invalid("a second melody note on step \(step)"))
        }
        notes[step][whole: note] = Note(velocity, try fields.noteValues())
    }
}

/// Why a text or value is not a pattern.
public struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where, as a path from the top: `tracks.melody.notes[3].col`; empty for the whole.
    public let place: String
    /// The problem there: `12 is a bar separator`.
    public let message: String

    /// An error at a place.
    public init(place: String, message: String) {
        self.place = place
        self.message = message
    }

    /// `tracks.melody.notes[3].col: 12 is a bar separator`
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

extension PatternError {
    /// The field reader's error.
    init(_ error: FieldError) {
        self.init(place: error.field, message: error.message)
    }
}
