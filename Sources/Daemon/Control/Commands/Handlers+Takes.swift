import Wire

// Performances that were kept.
extension Handlers {
    static let takes: [Handler] = [
        Handler(deferred: Methods.takes) { _, _ in
            Deferred { try await $0.takes() }
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
