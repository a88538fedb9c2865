/// An object's members, read by name and kind; others are ignored. Errors name the member.
public struct Fields: Sendable {
    public let object: JSONObject

    public init(_ object: JSONObject) {
        self.object = object
    }

    /// The value of a required member.
    public func callAsFunction<Value>(_ name: String, _ kind: Kind<Value>) throws(FieldError) -> Value {
        guard let json = object[name] else {
            throw FieldError(field: name, expected: kind.expected, found: nil)
        }
        return try kind.value(of: json, field: name)
    }

    /// The value of an optional member.
    public func optional<Value>(_ name: String, _ kind: Kind<Value>) throws(FieldError) -> Value? {
        guard let json = object[name] else { return nil }
        return try kind.value(of: json, field: name)
    }

    /// Reads the members of an optional member that is an object.
    public func inside(_ name: String, read: (Fields) throws(FieldError) -> Void) throws(FieldError) {
        guard let json = object[name] else { return }
        try at(name) { () throws(FieldError) in try read(Fields(object: json)) }
    }

    /// Reads each element of an optional member that is an array of objects.
    public func elements(of name: String, read: (Fields) throws(FieldError) -> Void) throws(FieldError) {
        guard let json = object[name] else { return }
        guard let elements = json.arrayValue else {
            throw FieldError(field: name, expected: "an array", found: json)
        }
        for (index, element) in elements.enumerated() {
            try at("\(name)[\(index)]") { () throws(FieldError) in try read(Fields(object: element)) }
        }
    }

    /// The members of a value that must be an object.
    public init(object value: JSONValue) throws(FieldError) {
        guard let object = value.objectValue else { throw FieldError(expected: "an object", found: value) }
        self.init(object)
    }

    private func at(_ step: @autoclosure () -> String, read: () throws(FieldError) -> Void) throws(FieldError) {
        do {
            try read()
        } catch {
            throw error.inside(step())
        }
    }
}
