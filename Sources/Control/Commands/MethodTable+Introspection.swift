import JSON

extension MethodTable {
    /// What the table says of itself.
    static let introspection: [Method] = [
        Method("rpc.discover", "Returns this description of the protocol.", result: Schemas.openRPC) { _ in
            .encoded(OpenRPC.bytes)
        }
    ]
}
