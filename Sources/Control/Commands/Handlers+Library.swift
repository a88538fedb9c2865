import JSON
import Music
import Session
import Wire

// Patterns and music in files. A file gets the pattern as it was when the request arrived.
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
                call.loop.libraryChanged()
                // Another client may have replaced the pattern meanwhile; the new one keeps its name.
                guard call.ask({ $0.patternRevision }) == revision else { return }
                try call.loop.perform(.change([.setName(name)]))
                // A flush may be waiting behind this save.
                call.loop.handOn()
            }
        },
        Handler(deferred: Methods.load) { call, parameters in
            let (name, scene) = parameters
            return Deferred(holdingInput: true) {
                try await $0.load(name)
            } finish: { pattern in
                let change = scene.map { DocumentChange.take(pattern, intoScene: $0 - 1) } ?? .replacePattern(pattern)
                try call.loop.perform(.change([change]))
            }
        },
        Handler(deferred: Methods.delete) { call, name in
            Deferred {
                try await $0.delete(name)
            } finish: {
                call.loop.libraryChanged()
            }
        },
        Handler(deferred: Methods.rename) { call, parameters in
            let (name, newName) = parameters
            return Deferred {
                try await $0.rename(name, to: newName)
            } finish: {
                call.loop.libraryChanged()
            }
        },
        Handler(deferred: Methods.flush) { call, _ in
            // Passes this round's changes to the storage now, rather than after the round.
            call.loop.handOn()
            return Deferred { try await $0.flush() }
        },
        Handler(deferred: Methods.exportMIDI) { call, parameters in
            let (path, loops, rate, scenes) = parameters
            return try call.export(loops: loops, rate: rate, scenes: scenes ?? []) {
                try await $0.exportMIDI($1, to: path, options: $2)
            }
        },
        Handler(deferred: Methods.exportWAV) { call, parameters in
            let (path, loops, rate, scenes) = parameters
            return try call.export(loops: loops, rate: rate, scenes: scenes ?? []) {
                try await $0.exportWAV($1, to: path, options: $2)
            }
        },
    ]
}

extension Call {
    /// In loops.
    private static let longestExport = 1000

    /// Exports the current document through a service.
    fileprivate func export(
        loops: Int, rate: Int?, scenes: [Int],
        by work: @escaping @Sendable (any ControlServices, Document, ExportOptions) async throws -> ExportReply
    ) throws -> Deferred<ExportReply> {
        guard loops * scenes.count <= Call.longestExport else {
            throw FieldError(
                field: "scenes", expected: "at most \(Call.longestExport) loops in all", got: "\(loops * scenes.count)")
        }
        let document = ask { $0.document }
        let options = ExportOptions(
            loops: loops, rate: rate ?? audioRate, scenes: scenes.map { $0 - 1 })
        return Deferred(isExport: true) { try await work($0, document, options) }
    }
}

// The drum kits.
extension Handlers {
    static let kits: [Handler] = [
        Handler(deferred: Methods.kits) { call, _ in
            let rate = call.audioRate
            return Deferred { try await $0.kits(sampleRate: rate) }
        },
        Handler(deferred: Methods.reloadKits) { call, _ in
            let rate = call.audioRate
            return Deferred {
                try await $0.kits(sampleRate: rate)
            } finish: { entries in
                call.ask { session in
                    session.kitsFound(entries.filter { !$0.isBuiltIn }.map(\.name))
                    session.reloadKit()
                }
                call.loop.schedulePass()
                return entries
            }
        },
    ]
}

extension Call {
    /// The daemon's sample rate in Hz, or the default without audio.
    var audioRate: Int { ask { $0.audio.rate } ?? 48_000 }
}
