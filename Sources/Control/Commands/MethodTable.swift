/// All methods of the control socket.
enum MethodTable {
    /// The methods in the order of the documentation.
    static let methods: [Method] = general + transport + settings + notes + library + introspection

    /// The method of a name, nil when there is none.
    static func method(named name: String) -> Method? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
}
