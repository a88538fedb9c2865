import JSON

/// A parameter of a method: its name, its values and what it is for.
public struct Parameter<Value: Sendable>: Sendable {
    /// The name in `params`.
    public let name: String
    /// What it is for.
    public let summary: String
    /// Whether it must be given.
    public let isRequired: Bool
    /// Its values as a JSON Schema.
    public let schema: JSONObject
    /// Whether its values name files of the daemon's machine.
    public let namesFile: Bool

    private let read: @Sendable (Fields) throws(FieldError) -> Value

    /// The value among the parameters of a call.
    public func value(in fields: Fields) throws(FieldError) -> Value { try read(fields) }

    /// A parameter that must be given.
    public static func required(_ name: String, _ kind: Kind<Value>, _ summary: String) -> Parameter {
        Parameter(name: name, summary: summary, isRequired: true, schema: kind.schema, namesFile: kind.namesFile) {
            (fields) throws(FieldError) in try fields(name, kind)
        }
    }

    /// A parameter that has a value without being given.
    public static func optional(
        _ name: String, _ kind: Kind<Value>, default value: Value, shown: JSONValue, _ summary: String
    ) -> Parameter {
        var schema = kind.schema
        schema["default"] = shown
        return Parameter(
            name: name, summary: summary, isRequired: false, schema: schema, namesFile: kind.namesFile
        ) {
            (fields) throws(FieldError) in try fields.optional(name, kind) ?? value
        }
    }

    /// A parameter that may be left out.
    public static func optional<Wrapped>(
        _ name: String, _ kind: Kind<Wrapped>, _ summary: String
    ) -> Parameter where Value == Wrapped? {
        Parameter(name: name, summary: summary, isRequired: false, schema: kind.schema, namesFile: kind.namesFile) {
            (fields) throws(FieldError) in try fields.optional(name, kind)
        }
    }
}
