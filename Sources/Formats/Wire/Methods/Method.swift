import JSON

/// A method of the control socket, as the daemon's handlers, the client library, the OpenRPC document and the reference
/// page share it.
///
/// - Parameters:
///   - Parameters: The parameters' values: one, or a tuple of several.
///   - Result: What it returns; `Void` for `{}`.
public struct Method<Parameters: Sendable, Result: Sendable>: Sendable {
    /// Its type-erased description.
    public private(set) var description: MethodDescription
    /// How its result is read and written.
    public let result: Kind<Result>

    private let read: @Sendable (Fields) throws(FieldError) -> Parameters
    private let write: @Sendable (Parameters) -> JSONObject

    /// A method whose parameters are read and written by functions.
    init(
        _ description: MethodDescription, result: Kind<Result>,
        reading read: @escaping @Sendable (Fields) throws(FieldError) -> Parameters,
        writing write: @escaping @Sendable (Parameters) -> JSONObject
    ) {
        self.description = description
        self.result = result
        self.read = read
        self.write = write
    }

    /// Describes a method.
    ///
    /// - Parameters:
    ///   - summary: What it does, in a sentence.
    ///   - parameters: In the order in which they are checked.
    ///   - errors: The errors it may return besides those for wrong parameters.
    public init<each Value: Sendable>(
        _ name: String, _ summary: String, _ parameters: repeat MethodParameter<each Value>, result: Kind<Result>,
        errors: [ErrorCode] = [], example: MethodDescription.Example
    ) where Parameters == (repeat each Value) {
        self.init(
            name, summary, repeat each parameters, make: { (values: repeat each Value) in (repeat each values) },
            values: { $0 }, result: result, errors: errors, example: example)
    }

    /// Describes a method whose parameters form a value of its own type.
    ///
    /// - Parameters:
    ///   - summary: What it does, in a sentence.
    ///   - parameters: In the order in which they are checked.
    ///   - make: Makes the value.
    ///   - values: The value's parameters, in the same order.
    ///   - errors: The errors it may return besides those for wrong parameters.
    public init<each Value: Sendable>(
        _ name: String, _ summary: String, _ parameters: repeat MethodParameter<each Value>,
        make: @escaping @Sendable (repeat each Value) -> Parameters,
        values: @escaping @Sendable (Parameters) -> (repeat each Value), result: Kind<Result>,
        errors: [ErrorCode] = [], example: MethodDescription.Example
    ) {
        var descriptions: [ParameterDescription] = []
        repeat descriptions.append(contentsOf: (each parameters).descriptions)
        let description = MethodDescription(
            name: name, summary: summary, parameters: descriptions, result: result.schema, refusals: errors,
            example: example)
        let parameters = (repeat each parameters)
        self.init(
            description, result: result,
            reading: { (fields) throws(FieldError) in make(repeat try (each parameters).read(fields)) },
            writing: { call in
                let values = values(call)
                var object = JSONObject()
                repeat object.add((each parameters).write(each values))
                return object
            })
    }

    /// The same method, to be removed in the next version of the protocol; its summary names what to use instead.
    public func deprecated() -> Method {
        var copy = self
        copy.description.isDeprecated = true
        return copy
    }

    public var name: String { description.name }

    /// Reads the parameters of a call.
    ///
    /// - Throws: An error for the first parameter that is missing or wrong.
    public func parameters(_ fields: Fields) throws(FieldError) -> Parameters { try read(fields) }

    /// The parameters of a call as an object.
    public func json(of parameters: Parameters) -> JSONObject { write(parameters) }
}

/// The type-erased description of a method.
public struct MethodDescription: Sendable {
    /// A call of a method, and what it returns.
    public struct Example: Sendable {
        public let parameters: JSONObject
        /// The result; nil if it would fill the page.
        public let result: JSONValue?

        /// A call, by default without parameters.
        public init(_ parameters: JSONObject = [:], returns result: JSONValue?) {
            self.parameters = parameters
            self.result = result
        }
    }

    /// The name in requests.
    public let name: String
    /// What it does, in a sentence.
    public let summary: String
    /// The parameters, in the order in which they are checked.
    public let parameters: [ParameterDescription]
    public let result: Schema
    /// The errors it may return.
    public let errors: [ErrorCode]
    /// A call that works.
    public let example: Example
    /// Whether the next version of the protocol removes it.
    public internal(set) var isDeprecated = false
    /// Whether a controller can be bound to it (`midi.bind`).
    public private(set) var isBindable = false

    /// The same method, to which controllers can be bound.
    func bindable() -> MethodDescription {
        var copy = self
        copy.isBindable = true
        return copy
    }

    init(
        name: String, summary: String, parameters: [ParameterDescription], result: Schema, refusals: [ErrorCode],
        example: Example
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        errors =
            (parameters.isEmpty ? [] : [.invalidParams]) + refusals
            + (parameters.contains(where: \.namesFile) ? [.notForRemoteClients] : [])
        self.example = example
    }
}

extension JSONObject {
    /// Adds the members of another object.
    fileprivate mutating func add(_ other: JSONObject) {
        for member in other.members { self[member.name] = member.value }
    }
}
