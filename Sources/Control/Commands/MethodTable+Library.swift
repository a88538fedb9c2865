import JSON
import Music
import Session
import Wire

extension MethodTable {
    /// Patterns and music in files. What is written is the pattern as it was when the request came.
    static let library: [Method] = [
        Method("library.list", "Lists the saved patterns.", result: Schemas.libraryList) { _ in
            .later(
                Deferred {
                    try await $0.libraryEntries()
                } finish: {
                    .list($0.map { .object($0.json) })
                })
        },
        Method(
            "library.save", "Saves the pattern, over what stood under the name.",
            .required("name", .libraryName, "The name."),
            result: Schemas.empty
        ) { call, name in
            var pattern = call.ask { $0.document.pattern }
            pattern.name = name
            return .later(
                Deferred { [pattern] in
                    try await $0.save(pattern, as: name)
                } finish: {
                    try call.loop.perform(.setName(name))
                    return .nothing
                })
        },
        Method(
            "library.load", "Replaces the pattern by a saved one; one undo step.",
            .required("name", .libraryName, "The name."),
            result: Schemas.empty
        ) { call, name in
            .later(
                Deferred(holdingInput: true) {
                    try await $0.load(name)
                } finish: { pattern in
                    try call.loop.perform(.setPattern(pattern))
                    return .nothing
                })
        },
        Method(
            "library.delete", "Deletes a saved pattern.", .required("name", .libraryName, "The name."),
            result: Schemas.empty
        ) { _, name in
            .later(
                Deferred {
                    try await $0.delete(name)
                } finish: { _ in
                    .nothing
                })
        },
        Method(
            "library.rename", "Gives a saved pattern another name.",
            .required("name", .libraryName, "The name it has."),
            .required("to", .libraryName, "The name it is to have."),
            result: Schemas.empty
        ) { _, name, newName in
            .later(
                Deferred {
                    try await $0.rename(name, to: newName)
                } finish: { _ in
                    .nothing
                })
        },
        Method(
            "export.midi", "Makes a MIDI file of the pattern.",
            .optional("path", .absolutePath, "Where to; without it the file is in the result."),
            loops, rate, result: Schemas.export
        ) { call, path, loops, rate in
            call.export(loops: loops, rate: rate) { try await $0.exportMIDI($1, to: path, options: $2) }
        },
        Method(
            "export.wav", "Renders the pattern to a sound file.",
            .required("path", .absolutePath, "Where to."),
            loops, rate, result: Schemas.export
        ) { call, path, loops, rate in
            call.export(loops: loops, rate: rate) { try await $0.exportWAV($1, to: path, options: $2) }
        },
    ]

    private static let loops = Wire.Parameter<Int>.optional(
        "loops", .integer(in: 1...1000), default: 1, shown: 1, "How often the pattern is played.")
    private static let rate = Wire.Parameter<Int?>.optional(
        "rate", .integer(in: 8_000...192_000), "Frames per second; JACK's unless told otherwise, 48000 without JACK.")
}

extension Call {
    private static let rateWithoutAudio = 48_000

    /// Has the document of now exported by a service.
    fileprivate func export(
        loops: Int, rate: Int?,
        by work: @escaping @Sendable (any ControlServices, Document, ExportOptions) async throws -> ExportReply
    ) -> Outcome {
        let (document, audioRate) = ask { ($0.document, $0.audio.sampleRate) }
        let options = ExportOptions(loops: loops, rate: rate ?? audioRate ?? Call.rateWithoutAudio)
        return .later(
            Deferred {
                try await work($0, document, options)
            } finish: {
                .value($0.json)
            })
    }
}
