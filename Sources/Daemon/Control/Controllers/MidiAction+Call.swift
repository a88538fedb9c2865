import JSON
import Music
import PatternFormat
import Wire

extension MidiAction {
    /// The method groups that can be bound; ``others`` lists single methods.
    private static let groups = [
        "transport", "tempo", "scale", "root", "length", "swing", "colors", "ghosts", "track", "slot", "scene",
        "launch",
        "history", "reverb", "delay", "lens", "dice", "fill",
    ]
    private static let others = ["sync.set", "pattern.clear"]

    /// The method's handler.
    ///
    /// - Throws: `FieldError` for a method that cannot be bound.
    func handler() throws -> Handler {
        guard let handler = Handlers.handler(of: method),
            Self.groups.contains(String(method.prefix { $0 != "." })) || Self.others.contains(method)
        else {
            throw FieldError(
                field: "to.method", expected: "a method of " + (Self.groups + Self.others).joined(separator: ", "),
                found: .string(method))
        }
        return handler
    }

    /// Throws if it cannot be bound.
    func check() throws {
        let found = try handler()
        try checkNames(found.method.parameters.map(\.name))
        if let value, valueKind(value, of: found.method) == nil {
            throw FieldError(
                field: "to.value", expected: "a parameter of \(method) that has a range", found: .string(value))
        }
        _ = try found.action(with: .byName(parameters(at: value == nil ? nil : 0, kits: Track.rhythm.soundNames)))
    }

    /// A call may have parameters that the method ignores, but a binding is stored, and they could make the session
    /// grow without limit.
    private func checkNames(_ names: [String]) throws(FieldError) {
        if let unknown = parameters.keys.filter({ !names.contains($0) }).min() {
            throw FieldError(
                field: "to.params",
                expected: names.isEmpty
                    ? "none, as \(method) has no parameters"
                    : "only parameters of \(method) (\(names.joined(separator: ", ")))",
                found: .string(unknown))
        }
        for (name, value) in parameters {
            guard let choices = value.names, Set(choices).count < choices.count else { continue }
            throw FieldError(field: "to.params.\(name)", problem: .invalid("the same name appears twice"))
        }
    }

    /// The method's parameters, one of them set to a controller's position, 0 to 127.
    ///
    /// - Parameter kits: The names of all kits, in the order in which a controller selects them.
    func parameters(at position: Int?, kits: [String]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in parameters { object[name] = value.json }
        guard let value, let position, let method = Methods.named(method) else { return object }
        var kind = valueKind(value, of: method)
        // The table knows only the built-in kits.
        if case .name = kind { kind = .name(kits) }
        object[value] = kind?.value(atController: position).json
        return object
    }

    /// The values of a parameter of the method: from the table, with its curve, or else from its schema.
    private func valueKind(_ name: String, of method: MethodDescription) -> ParameterKind? {
        let track = parameters["track"]?.name.flatMap(Track.init(name:))
        let row = Parameter.allCases.map(\.row).first {
            $0.method == method.name && $0.argument == name && $0.scope.contains($0.scope == .whole ? nil : track)
        }
        if let row { return row.kind(on: row.scope == .whole ? nil : track) }
        return method.parameters.first { $0.name == name }.flatMap { ParameterKind(schema: $0.schema.json) }
    }
}

extension ParameterKind {
    /// The values of a JSON Schema; nil if it has no range.
    fileprivate init?(schema: JSONObject) {
        switch schema["type"]?.stringValue {
        case "boolean": self = .toggle
        case "integer":
            guard let low = schema["minimum"]?.intValue, let high = schema["maximum"]?.intValue else { return nil }
            self = .integer(low...high)
        case "number":
            guard let low = schema["minimum"]?.doubleValue, let high = schema["maximum"]?.doubleValue else {
                return nil
            }
            self = .number(low...high)
        case "string":
            let names = (schema["enum"]?.arrayValue ?? []).compactMap(\.stringValue)
            guard !names.isEmpty else { return nil }
            self = .choice(names)
        default: return nil
        }
    }
}
