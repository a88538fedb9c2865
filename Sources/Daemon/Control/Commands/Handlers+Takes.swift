import JSON
import Wire

// Performances that were kept.
extension Handlers {
    static let takes: [Handler] = [
        // Hundreds of takes for many clients at once: encoded off the control thread.
        Handler(deferredEncoded: Methods.takes) { _, _ in
            Deferred { JSONValue.object(try await $0.takes().json).bytes }
        },
        Handler(deferred: Methods.starTake) { call, parameters in
            let (number, isStarred) = parameters
            return Deferred {
                try await $0.starTake(number, isStarred)
            } finish: {
                call.loop.takesChanged()
            }
        },
        Handler(deferred: Methods.deleteTake) { call, number in
            Deferred {
                try await $0.deleteTake(number)
            } finish: {
                call.loop.takesChanged()
            }
        },
    ]
}
