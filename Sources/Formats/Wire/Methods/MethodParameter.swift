import JSON

/// A parameter of a method: its name, its values and its purpose; or several parameters that form one value.
public struct MethodParameter<Value: Sendable>: Sendable {
    /// The type-erased description of each member.
    private(set) var descriptions: [ParameterDescription]
    let read: @Sendable (Fields) throws(FieldError) -> Value
    /// The members of a value, except those it leaves out.
    let write: @Sendable (Value) -> JSONObject

    public static func required(_ name: String, _ kind: Kind<Value>, _ summary: String) -> MethodParameter {
        MethodParameter(
            descriptions: [ParameterDescription(name, kind, summary, isRequired: true)],
            read: { (fields) throws(FieldError) in try fields(name, kind) }, write: { [name: kind.json(of: $0)] })
    }

    public static func optional(
        _ name: String, _ kind: Kind<Value>, default value: Value, _ summary: String
    ) -> MethodParameter {
        MethodParameter(
            descriptions: [
                ParameterDescription(
                    name, kind.described(as: ["default": kind.json(of: value)]), summary, isRequired: false)
            ],
            read: { (fields) throws(FieldError) in try fields.optional(name, kind) ?? value },
            write: { [name: kind.json(of: $0)] })
    }

    public static func optional<Wrapped>(
        _ name: String, _ kind: Kind<Wrapped>, _ summary: String
    ) -> MethodParameter where Value == Wrapped? {
        MethodParameter(
            descriptions: [ParameterDescription(name, kind, summary, isRequired: false)],
            read: { (fields) throws(FieldError) in try fields.optional(name, kind) },
            write: { $0.map { [name: kind.json(of: $0)] } ?? [:] })
    }

    /// The same parameter, to be removed in the next version of the protocol; its summary names what to use instead.
    public func deprecated() -> MethodParameter {
        var copy = self
        for index in copy.descriptions.indices { copy.descriptions[index].isDeprecated = true }
        return copy
    }
}

/// The description of a parameter, for programs and people.
public struct ParameterDescription: Sendable {
    /// The name in `params`.
    public let name: String
    /// What it is for, in a sentence.
    public let summary: String
    /// Whether it must be given.
    public let isRequired: Bool
    /// Its values in words.
    public let expected: String
    /// Its values as a JSON Schema.
    public let schema: Schema
    /// Whether its values name files on the daemon's machine.
    public let namesFile: Bool
    /// What a controller can choose among; nil if its values have no range.
    public let range: ValueRange?
    /// Whether the next version of the protocol removes it.
    public internal(set) var isDeprecated = false

    init(_ name: String, _ kind: Kind<some Sendable>, _ summary: String, isRequired: Bool) {
        self.name = name
        self.summary = summary
        self.isRequired = isRequired
        expected = kind.expected
        schema = kind.schema
        namesFile = kind.namesFile
        range = kind.range
    }
}
