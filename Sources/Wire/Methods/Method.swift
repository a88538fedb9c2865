import JSON

/// A method of the control socket: what the daemon's handlers, the client library, the OpenRPC document and the reference
/// page know of it.
///
/// - Parameters:
///   - Parameters: The values of the parameters: one, or a tuple of several.
///   - Result: What it returns; `Void` for `{}`.
public struct Method<Parameters: Sendable, Result: Sendable>: Sendable {
    /// What is known of it without its types.
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

    /// A method.
    ///
    /// - Parameters:
    ///   - summary: What it does, in a sentence.
    ///   - parameters: In the order in which they are checked.
    ///   - errors: What it is refused with beside wrong parameters.
    public init<each Value: Sendable>(
        _ name: String, _ summary: String, _ parameters: repeat MethodParameter<each Value>, result: Kind<Result>,
        errors: [ErrorCode] = [], example: MethodDescription.Example
    ) where Parameters == (repeat each Value) {
        var descriptions: [ParameterDescription] = []
        for parameter in repeat each parameters { descriptions += parameter.descriptions }
        let description = MethodDescription(
            name: name, summary: summary, parameters: descriptions, result: result.schema, refusals: errors,
            example: example)
        let parameters = (repeat each parameters)
        self.init(
            description, result: result,
            reading: { (fields) throws(FieldError) in (repeat try (each parameters).read(fields)) },
            writing: { (values: (repeat each Value)) in
                var object = JSONObject()
                for (parameter, value) in repeat (each parameters, each values) {
                    for member in parameter.write(value).members { object[member.name] = member.value }
                }
                return object
            })
    }

    /// The same method, which works on until the next version of the protocol; its summary names what to use instead.
    public func deprecated() -> Method {
        var copy = self
        copy.description.isDeprecated = true
        return copy
    }

    /// Its name.
    public var name: String { description.name }

    /// Reads the parameters of a call.
    ///
    /// - Throws: The first parameter that is missing or wrong.
    public func parameters(_ fields: Fields) throws(FieldError) -> Parameters { try read(fields) }

    /// The parameters of a call as an object.
    public func json(of parameters: Parameters) -> JSONObject { write(parameters) }
}

/// What is known of a method without its types.
public struct MethodDescription: Sendable {
    /// A call of a method, and what it returns.
    public struct Example: Sendable {
        /// The parameters.
        public let parameters: JSONObject
        /// What is returned; nil where it would fill the page.
        public let result: JSONValue?

        /// A call, of a method without parameters by default.
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
    /// The result as a JSON Schema.
    public let result: Schema
    /// What it is refused with.
    public let errors: [ErrorCode]
    /// A call that works.
    public let example: Example
    /// Whether it goes with the next version of the protocol.
    public internal(set) var isDeprecated = false

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
