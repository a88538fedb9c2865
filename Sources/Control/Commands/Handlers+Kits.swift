import Session
import Wire

// The kits that drums are hit of.
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
    /// Frames per second at which the daemon plays, or would.
    var audioRate: Int { ask { $0.audio.sampleRate } ?? 48_000 }
}
