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

    private let body: @Sendable (Call, Fields) throws -> Outcome

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
        body = { call, fields in
            try handler(call, repeat try (each parameters).value(in: fields))
        }
    }

    /// Runs the method.
    func invoke(_ call: Call, with parameters: Request.Parameters) throws -> Outcome {
        switch parameters {
        case .none: return try body(call, Fields([:]))
        case .byName(let values):
            if call.client.isRemote { try refuseFiles(among: values) }
            return try body(call, Fields(values))
        case .byPosition: throw FieldError(field: "params", expected: "an object", got: "an array")
        }
    }

    /// A client of another machine has no files here to name.
    private func refuseFiles(among values: JSONObject) throws(WireError) {
        for parameter in parameters where parameter.namesFile && values[parameter.name] != nil {
            throw WireError(
                .notForRemoteClients, "\(parameter.name) is not for remote clients: it names a file of this machine",
                data: ["parameter": .string(parameter.name)])
        }
    }
}
