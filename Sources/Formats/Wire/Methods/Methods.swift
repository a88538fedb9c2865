import JSON

/// The methods of the control socket, each described once.
///
/// A new method is described in one of this enumeration's extensions and added to the extension's list; the daemon's
/// `Handlers` implement it.
public enum Methods {
    /// All methods in the order of the documentation.
    public static let all: [MethodDescription] =
        general + transport + sync + settings + notes + keys + punchIns + lenses + motions + slots + kitMethods + midi
        + library + takeMethods + renders
        + introspection

    /// The method with a name, nil if there is none.
    public static func named(_ name: String) -> MethodDescription? { byName[name] }

    /// The methods to which controllers can be bound: groups of which all can, such as `transport`, and single methods.
    public static let bindable: [String] = {
        var names: [String] = []
        for method in all where method.isBindable {
            let isWhole = all.allSatisfy { $0.group != method.group || $0.isBindable }
            let name = isWhole ? method.group : method.name
            if !names.contains(name) { names.append(name) }
        }
        return names
    }()

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

// The protocol's description of itself.
extension Methods {
    public static let discover = Method(
        "rpc.discover", "Returns this description of the protocol.", result: .object, example: .init(returns: nil))

    static let introspection = [discover.description]
}

extension MethodDescription {
    /// The first word of its name.
    fileprivate var group: String { String(name.prefix { $0 != "." }) }
}
