/// The values that a field may have: how to read and write them, and how to describe them to people (in words) and
/// programs (as a JSON Schema).
public struct Kind<Value: Sendable>: Sendable {
    /// The values in words, as in `expected a number from 20 to 300`.
    public let expected: String
    /// The values as a JSON Schema.
    public let schema: Schema
    /// Whether the values name files on the daemon's machine, which remote clients must not.
    public private(set) var namesFile = false
    /// What a controller can choose among; nil if the values have no range.
    public private(set) var range: ValueRange?

    private let read: @Sendable (JSONValue) throws(FieldError) -> Value
    private let write: @Sendable (Value) -> JSONValue

    /// A kind whose reader throws the problem and its place inside the value.
    public init(
        expected: String, schema: Schema, throwing read: @escaping @Sendable (JSONValue) throws(FieldError) -> Value,
        writing write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.expected = expected
        self.schema = schema
        self.read = read
        self.write = write
    }

    /// A kind whose reader returns nil for invalid values.
    public init(
        expected: String, schema: Schema, reading read: @escaping @Sendable (JSONValue) -> Value?,
        writing write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(
            expected: expected, schema: schema,
            throwing: { (value) throws(FieldError) in
                guard let result = read(value) else { throw FieldError(expected: expected, found: value) }
                return result
            }, writing: write)
    }

    /// Reads a value.
    ///
    /// - Throws: The problem, and its place inside the value.
    public func value(of json: JSONValue) throws(FieldError) -> Value { try read(json) }

    /// Reads the value of a field.
    public func value(of json: JSONValue, field: String) throws(FieldError) -> Value {
        do {
            return try read(json)
        } catch {
            throw error.inside(field)
        }
    }

    public func json(of value: Value) -> JSONValue { write(value) }

    private func with(expected: String? = nil, schema: Schema) -> Kind {
        var kind = Kind(expected: expected ?? self.expected, schema: schema, throwing: read, writing: write)
        (kind.namesFile, kind.range) = (namesFile, range)
        return kind
    }

    /// The same values with additions to the schema.
    public func described(as more: JSONObject) -> Kind { with(schema: schema.adding(more)) }

    /// The same values, with the schema defined under a name and referenced.
    public func defined(as name: String) -> Kind { with(schema: schema.defined(as: name)) }

    /// The same values, which name files on the daemon's machine.
    public func namingFiles() -> Kind {
        var kind = self
        kind.namesFile = true
        return kind
    }

    /// The same values, which are those of a range.
    func inRange(_ range: ValueRange) -> Kind {
        var kind = self
        kind.range = range
        return kind
    }

    /// A kind with values converted by a function.
    ///
    /// - Parameters:
    ///   - expected: The accepted values in words, if different from this kind's.
    ///   - transform: Returns nil for invalid values.
    ///   - original: The inverse of the function.
    public func refined<Refined>(
        expected: String? = nil, _ transform: @escaping @Sendable (Value) -> Refined?,
        back original: @escaping @Sendable (Refined) -> Value
    ) -> Kind<Refined> {
        var kind = Kind<Refined>(
            expected: expected ?? self.expected, schema: schema,
            reading: { [read] json in (try? read(json)).flatMap(transform) },
            writing: { [write] in write(original($0)) })
        (kind.namesFile, kind.range) = (namesFile, range)
        return kind
    }

    /// The values that pass a test.
    public func filtered(expected: String, _ accepts: @escaping @Sendable (Value) -> Bool) -> Kind {
        refined(expected: expected, { accepts($0) ? $0 : nil }, back: { $0 })
    }
}

/// The values of a kind in an order, or between two ends.
public enum ValueRange: Equatable, Sendable {
    case toggle
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// Names, in their order.
    case choice([String])
}
