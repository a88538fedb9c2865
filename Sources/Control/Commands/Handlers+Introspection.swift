import Wire

// What the protocol says of itself.
extension Handlers {
    static let introspection: [Handler] = [
        Handler(encoded: Methods.discover) { _, _ in OpenRPC.bytes }
    ]
}
