import JSON

// What the protocol says of itself.
extension Methods {
    /// `rpc.discover`
    public static let discover = Method(
        "rpc.discover", "Returns this description of the protocol.", result: .object, example: .init(returns: nil))

    static let introspection = [discover.description]
}
