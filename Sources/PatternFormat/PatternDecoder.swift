import Grid
import JSON
import Music

/// Reads patterns out of JSON values; each function's errors name the place from its own value down.
struct PatternDecoder {
    let columns: PatternFormat.Columns
    /// Whether control characters in the name are replaced rather than refused.
    let repairsName: Bool

    func pattern(_ value: JSONValue) throws(PatternError) -> Pattern {
        let object = try value.object()
        var pattern = Pattern()
        try object.optional("version", "\(PatternFormat.version)") { $0.intValue == PatternFormat.version ? true : nil }
        try readSettings(object, into: &pattern)
        let tracks = try object.required("tracks", "an object", \.objectValue)
        try at("tracks") { () throws(PatternError) in
            for track in Track.allCases {
                guard let value = tracks[track.name] else { continue }
                try at(track.name) { () throws(PatternError) in
                    try readTrack(value, track, into: &pattern.cells)
                }
            }
        }
        pattern.cells = pattern.soundingCells
        return pattern
    }

    private func readSettings(_ object: JSONObject, into pattern: inout Pattern) throws(PatternError) {
        if let name = try object.optional("name", Self.nameExpectation, { $0.stringValue.flatMap(name) }) {
            pattern.name = name
        }
        pattern.created = try object.optional("created", Timestamp.expectation, Timestamp.seconds)
        pattern.modified = try object.optional("modified", Timestamp.expectation, Timestamp.seconds)
        for (member, parameter) in PatternFormat.members {
            try object.read(parameter, at: member, into: &pattern.parameters)
        }
        if let sounds = try object.optional("sounds", "an object", \.objectValue) {
            try at("sounds") { () throws(PatternError) in
                try PatternFormat.decodeSounds(sounds, into: &pattern.parameters)
            }
        }
    }

    private static let nameExpectation =
        "a string of at most \(Pattern.longestName) characters without control characters"

    private func name(_ text: String) -> String? {
        guard text.unicodeScalars.count <= Pattern.longestName else { return nil }
        if repairsName { return text.replacingControlCharacters(with: " ") }
        return text.hasControlCharacters ? nil : text
    }

    private func readTrack(_ value: JSONValue, _ track: Track, into cells: inout Cells) throws(PatternError) {
        let object = try value.object()
        try object.optional("type", "\"\(track.name)\"") { $0.stringValue == track.name ? true : nil }
        let notes = try object.optional("notes", "an array", \.arrayValue) ?? []
        for (index, value) in notes.enumerated() {
            try at("notes[\(index)]") { () throws(PatternError) in
                let note = try note(value, of: track)
                try note.write(to: &cells)
            }
        }
    }

    private func note(_ value: JSONValue, of track: Track) throws(PatternError) -> DecodedNote {
        let object = try value.object()
        let step = try step(of: object)
        let note = try object.required("pitch", pitches(of: track)) { $0.intValue.flatMap(track.note(atMIDIPitch:)) }
        let velocity = try object.required("velocity", names(["normal", "accent", "sustain"])) {
            $0.stringValue.flatMap(Velocity.init).flatMap { $0 == .off ? nil : $0 }
        }
        return DecodedNote(track: track, step: step, note: note, velocity: velocity)
    }

    private func step(of note: JSONObject) throws(PatternError) -> Int {
        if columns == .grid, let column = note["col"]?.intValue, Layout.isSeparator(column: column) {
            throw PatternError(place: "col", message: "\(column) is a bar separator")
        }
        return switch columns {
        case .grid: try note.required("col", "the column of a step, 4 to 38") { $0.intValue.flatMap(Layout.step) }
        case .step: try note.required("col", "a step, 0 to 31") { $0.intValue.within(0...Cells.stepCount - 1) }
        }
    }

    private func pitches(of track: Track) -> String {
        track.isPitched
            ? "a MIDI pitch of \(track.name), \(track.midiPitch(of: 0)) to \(track.midiPitch(of: Track.noteCount - 1))"
            : "the General MIDI key of one of the \(Drum.allCases.count) drums"
    }

    private func names(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }
}

private struct DecodedNote {
    let track: Track
    let step: Int
    let note: Int
    let velocity: Velocity

    func write(to cells: inout Cells) throws(PatternError) {
        guard cells[track, note, step] == .off else {
            throw PatternError(place: "", message: "the same note comes twice on step \(step)")
        }
        guard track != .melody || cells[track, step].isEmpty else {
            throw PatternError(place: "", message: "a second melody note on step \(step)")
        }
        cells[track, note, step] = velocity
    }
}

// MARK: Reading members

extension JSONValue {
    func object() throws(PatternError) -> JSONObject {
        guard let objectValue else { throw PatternError(expected: "an object", found: self) }
        return objectValue
    }
}

extension JSONObject {
    /// What `read` makes of a member, nil when there is none; an error when `read` makes nothing of it.
    @discardableResult
    func optional<Result>(
        _ name: String, _ expected: @autoclosure () -> String, _ read: (JSONValue) -> Result?
    ) throws(PatternError) -> Result? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else {
            throw PatternError(expected: expected(), found: value, at: name)
        }
        return result
    }

    /// What `read` makes of a member that has to be there.
    fileprivate func required<Result>(
        _ name: String, _ expected: @autoclosure () -> String, _ read: (JSONValue) -> Result?
    ) throws(PatternError) -> Result {
        guard let result = try optional(name, expected(), read) else {
            throw PatternError(place: name, message: "missing")
        }
        return result
    }
}

extension Optional where Wrapped: Comparable {
    fileprivate func within(_ range: ClosedRange<Wrapped>) -> Wrapped? {
        flatMap { range.contains($0) ? $0 : nil }
    }
}
