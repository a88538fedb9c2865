import JSON

/// The methods of the control socket, each described once.
///
/// A new method is described in one of this enumeration's extensions and added to the extension's list; the daemon's
/// `Handlers` say what it does.
public enum Methods {
    /// All methods in the order of the documentation.
    public static let all: [MethodDescription] =
        general + transport + sync + settings + notes + lenses + motions + slots + kitMethods + midi + library
        + introspection

    /// The method of a name, nil when there is none.
    public static func named(_ name: String) -> MethodDescription? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

// What the protocol says of itself.
extension Methods {
    /// `rpc.discover`
    public static let discover = Method(
        "rpc.discover", "Returns this description of the protocol.", result: .object, example: .init(returns: nil))

    static let introspection = [discover.description]
}
