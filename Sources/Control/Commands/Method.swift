import JSON
import Wire

/// A row of the command table: all that is known of a method, for the dispatcher and for `rpc.discover` alike.
struct Method: Sendable {
    /// What `rpc.discover` says of a parameter.
    struct ParameterDescription: Sendable {
        var name: String
        var summary: String
        var isRequired: Bool
        var schema: JSONObject
        var namesFile: Bool
    }

    /// The name in requests.
    let name: String
    /// What it does, in a line.
    let summary: String
    /// The parameters, in the order in which they are checked.
    let parameters: [ParameterDescription]
    /// The result as a JSON Schema.
    let result: JSONObject

    /// A call whose parameters have been read.
    typealias Action = @Sendable (Call) throws -> Outcome

    private let read: @Sendable (Fields) throws -> Action

    /// A method whose handler gets its parameters read and checked.
    init<each Value: Sendable>(
        _ name: String, _ summary: String, _ parameters: repeat Parameter<each Value>, result: JSONObject,
        handler: @escaping @Sendable (Call, repeat each Value) throws -> Outcome
    ) {
        var descriptions: [ParameterDescription] = []
        for parameter in repeat each parameters {
            descriptions.append(
                ParameterDescription(
                    name: parameter.name, summary: parameter.summary, isRequired: parameter.isRequired,
                    schema: parameter.schema, namesFile: parameter.namesFile))
        }
        self.name = name
        self.summary = summary
        self.parameters = descriptions
        self.result = result
        let parameters = (repeat each parameters)
        read = { fields in
            let values = (repeat try (each parameters).value(in: fields))
            return { call in try handler(call, repeat each values) }
        }
    }

    /// Reads the parameters of a call, which can be done on any thread.
    func action(with parameters: Request.Parameters) throws -> Action {
        switch parameters {
        case .none: try read(Fields([:]))
        case .byName(let values): try action(with: values)
        case .byPosition: throw FieldError(field: "params", expected: "an object", got: "an array")
        }
    }

    private func action(with values: JSONObject) throws -> Action {
        guard let file = parameters.first(where: { $0.namesFile && values[$0.name] != nil })?.name else {
            return try read(Fields(values))
        }
        let action = Result { try read(Fields(values)) }
        return { call in
            // A client of another machine has no files here to name.
            guard !call.client.isRemote else { throw WireError.notForRemoteClients(file) }
            return try action.get()(call)
        }
    }
}

extension WireError {
    fileprivate static func notForRemoteClients(_ parameter: String) -> WireError {
        WireError(
            .notForRemoteClients, "\(parameter) is not for remote clients: it names a file of this machine",
            data: ["parameter": .string(parameter)])
    }
}
