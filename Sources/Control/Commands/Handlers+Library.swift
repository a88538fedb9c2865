import Music
import Session
import Wire

// Patterns and music in files. What is written is the pattern as it was when the request came.
extension Handlers {
    static let library: [Handler] = [
        Handler(deferred: Methods.list) { _, _ in
            Deferred { try await $0.libraryEntries() }
        },
        Handler(deferred: Methods.save) { call, name in
            let revision = call.ask { $0.patternRevision }
            var pattern = call.ask { $0.document.pattern }
            pattern.name = name
            return Deferred { [pattern] in
                try await $0.save(pattern, as: name)
            } finish: {
                // Another client may have replaced the pattern meanwhile: that one keeps its name.
                if call.ask({ $0.patternRevision }) == revision { try call.loop.perform(.change([.setName(name)])) }
            }
        },
        Handler(deferred: Methods.load) { call, name in
            Deferred(holdingInput: true) {
                try await $0.load(name)
            } finish: { pattern in
                try call.loop.perform(.change([.replacePattern(pattern)]))
            }
        },
        Handler(deferred: Methods.delete) { _, name in
            Deferred { try await $0.delete(name) }
        },
        Handler(deferred: Methods.rename) { _, parameters in
            let (name, newName) = parameters
            return Deferred { try await $0.rename(name, to: newName) }
        },
        Handler(deferred: Methods.exportMIDI) { call, parameters in
            let (path, loops, rate) = parameters
            return call.export(loops: loops, rate: rate) { try await $0.exportMIDI($1, to: path, options: $2) }
        },
        Handler(deferred: Methods.exportWAV) { call, parameters in
            let (path, loops, rate) = parameters
            return call.export(loops: loops, rate: rate) { try await $0.exportWAV($1, to: path, options: $2) }
        },
    ]
}

extension Call {
    private static let rateWithoutAudio = 48_000

    /// Has the document of now exported by a service.
    fileprivate func export(
        loops: Int, rate: Int?,
        by work: @escaping @Sendable (any ControlServices, Document, ExportOptions) async throws -> ExportReply
    ) -> Deferred<ExportReply> {
        let (document, audioRate) = ask { ($0.document, $0.audio.sampleRate) }
        let options = ExportOptions(loops: loops, rate: rate ?? audioRate ?? Call.rateWithoutAudio)
        return Deferred { try await work($0, document, options) }
    }
}
