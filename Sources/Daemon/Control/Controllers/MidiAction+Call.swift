import JSON
import Music
import PatternFormat
import Wire

extension MidiAction {
    /// The method's handler.
    ///
    /// - Throws: `FieldError` for a method that cannot be bound.
    func handler() throws -> Handler {
        guard let handler = Handlers.handler(of: method), Methods.named(method)?.isBindable == true else {
            throw FieldError(
                field: "to.method", expected: "a method of " + Methods.bindable.joined(separator: ", "),
                found: .string(method))
        }
        return handler
    }

    /// Whether it lasts only as long as its key or controller is held.
    var isHeld: Bool { method == Methods.setPunchIn.name }

    /// Whether it can be bound to a trigger: what is held needs a message for its end.
    func canFollow(_ trigger: MidiTrigger) -> Bool { trigger.kind != .program || !isHeld }

    /// Throws if it cannot be bound.
    func check() throws {
        let found = try handler()
        try checkNames(found.method.parameters.map(\.name))
        // A controller that moves between effects would leave those behind that it held.
        if let value, valueKind(value, of: found.method) == nil || isHeld && value != "amount" {
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

    /// The values of a parameter of the method: from the table, with its curve, or else from its description.
    private func valueKind(_ name: String, of method: MethodDescription) -> ParameterKind? {
        let track = parameters["track"]?.name.flatMap(Track.init(name:))
        let row = Parameter.allCases.map(\.row).first {
            $0.method == method.name && $0.argument == name && $0.scope.contains($0.scope == .whole ? nil : track)
        }
        if let row { return row.kind(on: row.scope == .whole ? nil : track) }
        return method.parameters.first { $0.name == name }?.range.map(ParameterKind.init)
    }
}

extension ParameterKind {
    fileprivate init(_ range: ValueRange) {
        self =
            switch range {
            case .toggle: .toggle
            case .integer(let range): .integer(range)
            case .number(let range): .number(range)
            case .choice(let names): .choice(names)
            }
    }
}
