import JSON

/// An object's members, read by name and kind; unknown names are ignored.
public struct Fields: Sendable {
    private let object: JSONObject
    private let place: String

    /// The members of an object, which errors then name as inside a field; empty for a message's own.
    public init(_ object: JSONObject, inside place: String = "") {
        self.object = object
        self.place = place
    }

    /// The value of a member that must be there.
    public func callAsFunction<Value>(_ name: String, _ kind: Kind<Value>) throws(FieldError) -> Value {
        guard let json = object[name] else {
            throw FieldError(field: path(to: name), expected: kind.expected, got: "nothing")
        }
        return try kind.value(of: json, field: path(to: name))
    }

    /// The value of a member that may be missing.
    public func optional<Value>(_ name: String, _ kind: Kind<Value>) throws(FieldError) -> Value? {
        guard let json = object[name] else { return nil }
        return try kind.value(of: json, field: path(to: name))
    }

    private func path(to name: String) -> String {
        place.isEmpty ? name : "\(place).\(name)"
    }
}
