import JSON
import Music
import PatternFormat

// Keys that programs press.
extension Methods {
    private static let ends =
        "It is released by `keys.release`, by whatever releases MIDI keys, with the connection's end, and for remote clients after 2 s without a line."

    public static let pressKey = Method(
        "keys.press",
        "Presses a key, as one of a MIDI keyboard on the track's channel, or strikes a held one again; at most 16 are held. \(ends)",
        .playedKey,
        .optional(
            "velocity", .integer(in: 0...127), default: 64, "How hard; 0 releases the key."),
        result: .nothing, errors: [.noAudio],
        example: .init(["track": "bass", "note": 7, "velocity": 100], returns: [:]))

    public static let releaseKey = Method(
        "keys.release", "Releases a key that this connection holds.", .playedKey,
        result: .nothing, errors: [.noAudio], example: .init(["track": "bass", "note": 7], returns: [:]))

    static let keys = [pressKey.description, releaseKey.description]
}

extension MethodParameter where Value == PlayedKey {
    /// A track and one of its keys, by its note or by its MIDI note number.
    fileprivate static let playedKey = MethodParameter(
        descriptions: [
            ParameterDescription("track", Kind<Track>.name, "The track.", isRequired: true),
            ParameterDescription("note", noteKind, "Semitones above the track's C, or the drum.", isRequired: false),
            ParameterDescription(
                "key", keyKind, "Instead of `note`, a MIDI note number; on rhythm a drum's in General MIDI.",
                isRequired: false),
        ],
        read: { (fields) throws(FieldError) in
            let track = try fields("track", Kind<Track>.name)
            let note = try fields.optional("note", noteKind)
            let number = try fields.optional("key", keyKind)
            switch (note, number) {
            case (let note?, nil): return PlayedKey(track, note: note)
            case (nil, let number?):
                if let key = PlayedKey(track, key: number) { return key }
                let keys = Drum.allCases.map { "\($0.generalMIDIKey)" }.joined(separator: ", ")
                throw FieldError(field: "key", expected: "one of \(keys) on \(track.name)", got: "\(number)")
            case (nil, nil): throw FieldError(field: "note", expected: "a note or a key", got: "nothing")
            case (.some, .some): throw FieldError(field: "key", expected: "either a note or a key", got: "both")
            }
        },
        write: { ["track": .string($0.track.name), "key": .integer($0.key)] })

    private static let noteKind = Kind.integer(in: 0...Track.noteCount - 1)
    private static let keyKind = Kind.integer(in: 0...127)
}
