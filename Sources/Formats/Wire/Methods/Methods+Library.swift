import Instrument
import JSON
import Music
import PatternFormat

// Patterns and music in files. A file gets the pattern as it was when the request arrived.
extension Methods {
    public static let list = Method(
        "library.list", "Lists the saved patterns.", result: .array(of: LibraryEntry.kind), errors: [.storage],
        example: .init(
            returns: [
                .object(
                    LibraryEntry(
                        name: "groove", modified: "2026-01-02T12:34:56Z", bpm: 120, scale: "major", length: 32
                    ).json)
            ]))

    public static let save = Method(
        "library.save", "Saves the pattern under a name, replacing any that has it.",
        .required("name", .libraryName, "The name."),
        result: .nothing, errors: [.storage], example: .init(["name": "groove"], returns: [:]))

    public static let load = Method(
        "library.load", "Replaces the pattern by a saved one; one undo step.",
        .required("name", .libraryName, "The name."),
        MethodParameter<Int?>.optional(
            "scene", .slotNumber, "Loads only the notes that play in the saved pattern, into this scene."),
        result: .nothing, errors: [.notFound, .storage], example: .init(["name": "groove"], returns: [:]))

    public static let delete = Method(
        "library.delete", "Deletes a saved pattern.", .required("name", .libraryName, "The name."),
        result: .nothing, errors: [.notFound, .storage], example: .init(["name": "groove"], returns: [:]))

    public static let rename = Method(
        "library.rename", "Renames a saved pattern.",
        .required("name", .libraryName, "The current name."),
        .required("to", .libraryName, "The new name."),
        result: .nothing, errors: [.notFound, .storage],
        example: .init(["name": "groove", "to": "opener"], returns: [:]))

    public static let flush = Method(
        "storage.flush", "Answers when all earlier changes are on disk.",
        result: .nothing, errors: [.storage], example: .init(returns: [:]))

    public static let exportMIDI = Method(
        "export.midi", "Exports the pattern to a MIDI file.",
        MethodParameter<String?>.optional(
            "path", .absolutePath, "Where to; without it the result holds the file, in base64."),
        loops, rate, scenes, chain,
        make: { ExportCall(path: $0, loops: $1, rate: $2, scenes: $3, chain: $4) }, values: \.parameters,
        result: ExportReply.kind, errors: [.storage],
        example: .init(["path": "/tmp/groove.mid"], returns: ["path": "/tmp/groove.mid", "frames": 48_000]))

    public static let exportWAV = Method(
        "export.wav",
        "Renders the pattern to a sound file; without `path` in the background, to FLAC, as `take.render` does.",
        MethodParameter<String?>.optional(
            "path", .absolutePath, "Where to; without it the result is the id of a render."),
        loops, rate, scenes, chain,
        MethodParameter<Bool?>.optional(
            "stems", .boolean,
            "Whether to write the parts of the mix beside it, too: `groove.melody.wav`, `.chords`, `.bass`, `.rhythm`, `.reverb` and `.delay`. All are then WAV files of 32-bit floats, and all appear or none."
        ),
        make: ExportCall.init(path:loops:rate:scenes:chain:stems:),
        values: { ($0.path, $0.loops, $0.rate, $0.scenes, $0.chain, $0.stems) },
        result: ExportReply.kind, errors: [.storage, .heldByAnother],
        example: .init(
            ["path": "/tmp/groove.wav", "loops": 2, "rate": 44_100],
            returns: ["path": "/tmp/groove.wav", "frames": 88_200]))

    static let library = [
        list.description, save.description, load.description, delete.description, rename.description,
        flush.description, exportMIDI.description, exportWAV.description,
    ]

    private static let loops = MethodParameter<Int>.optional(
        "loops", .integer(in: AudioLimits.loopCounts), default: 1, "How many times the pattern is played.")
    private static let scenes = MethodParameter<[Int]?>.optional(
        "scenes", .array(of: .slotNumber, count: AudioLimits.loopCounts),
        "The scenes to play instead of what plays now, a loop each.")
    private static let chain = MethodParameter<Bool?>.optional(
        "chain", .boolean,
        "Whether to play every track's chain once instead, from its first link; shorter ones, and what plays without a chain, are repeated until the longest ends."
    )
    private static let rate = MethodParameter<Int?>.optional(
        "rate", .integer(in: AudioLimits.sampleRates).counted(in: "Hz"),
        "Sample rate; by default JACK's, or 48000 without JACK.")
}

// The drum kits: built in, or made of the user's samples.
extension Methods {
    public static let kits = Method(
        "kit.list",
        """
        Lists the kits, built-in ones first, and reads the samples of the others to name those that cannot be used, and \
        those that are truncated and played as far as they go.
        """,
        result: .array(of: KitEntry.kind), example: .init(returns: example))

    public static let reloadKits = Method(
        "kit.reload", "Rescans the sample kits, and reloads those that are played; returns what `kit.list` does.",
        result: .array(of: KitEntry.kind), example: .init(returns: example))

    static let kitMethods = [kits.description, reloadKits.description]

    private static let example = JSONValue.array(
        (Track.rhythm.soundNames.map { KitEntry(name: $0) } + [
            KitEntry(
                name: "Dust", samples: ["kick", "low tom"],
                refused: [.init(file: "snare.wav", reason: "there is no sound in it")],
                truncated: [
                    .init(file: "kick.wav", reason: "the file is truncated: it ends after 2000 of 4800 frames")
                ])
        ]).map { .object($0.json) })
}

extension ExportCall {
    fileprivate var parameters: (String?, Int, Int?, [Int]?, Bool?) { (path, loops, rate, scenes, chain) }
}
