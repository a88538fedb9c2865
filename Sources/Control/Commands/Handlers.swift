import Wire

/// What the daemon does for each of the protocol's methods.
enum Handlers {
    /// The handlers in the order of the documentation.
    static let all: [Handler] =
        general + transport + sync + settings + notes + lenses + motions + slots + kits + midi + library + introspection

    /// The handler of a method, nil when there is none.
    static func handler(of name: String) -> Handler? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.method.name, $0) })
}
