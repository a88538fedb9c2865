import Instrument
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
                let change = scene.map { DocumentChange.load(pattern, intoScene: $0 - 1) } ?? .replacePattern(pattern)
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
        Handler(deferred: Methods.exportMIDI) { call, export in
            try call.export(export) { try await $0.exportMIDI($1, to: export.path, options: $2) }
        },
        Handler(deferred: Methods.exportWAV) { call, export in
            guard let path = export.path else {
                let (document, options) = try call.contents(of: export)
                return try call.renderInBackground { try await $0.exportRender(document, options: options) }
                    .map { ExportReply(render: $0) }
            }
            return try call.export(export) { try await $0.exportWAV($1, to: path, options: $2) }
        },
    ]
}

extension MethodCall {
    /// In loops.
    private static let longestExport = 1000

    /// What plays in each loop of an export: these scenes, or the chains; empty for what plays now.
    private func turns(of scenes: [Int]?, chain isChain: Bool) throws -> [PlayingSlots] {
        guard isChain else { return (scenes ?? []).map { PlayingSlots(scene: $0 - 1) } }
        guard scenes == nil else {
            throw FieldError(field: "chain", expected: "either scenes or the chain", got: "both")
        }
        let turns = ask { $0.launches.chainedTurns(playing: $0.document.pattern.playing) }
        guard !turns.isEmpty else {
            throw FieldError(field: "chain", problem: .invalid("there is no chain on any track"))
        }
        return turns
    }

    /// Exports the current document through a service.
    fileprivate func export(
        _ export: ExportCall,
        by work: @escaping @Sendable (any ControlServices, Document, ExportOptions) async throws -> ExportReply
    ) throws -> Deferred<ExportReply> {
        let (document, options) = try contents(of: export)
        return Deferred(isExport: true) { try await work($0, document, options) }
    }

    /// What is exported: the current document, and what of it.
    fileprivate func contents(of export: ExportCall) throws -> (Document, ExportOptions) {
        let turns = try turns(of: export.scenes, chain: export.chain == true)
        let count = export.loops * turns.count
        guard count <= MethodCall.longestExport else {
            throw FieldError(
                field: "scenes", expected: "at most \(MethodCall.longestExport) loops in all", got: "\(count)")
        }
        let document = ask { $0.document }
        let options = ExportOptions(
            loops: export.loops, rate: export.rate ?? audioRate, turns: turns, hasStems: export.stems == true)
        return (document, options)
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

extension MethodCall {
    /// The daemon's sample rate in Hz, or the default without audio.
    var audioRate: Int { ask { $0.audio.rate } ?? 48_000 }
}
