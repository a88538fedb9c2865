import JSON
import Wire

extension PixelBoopClient {
    /// Waits for a sign of life.
    public func ping() async throws { try await call("ping") }

    /// The picture as it is now.
    public func frame() async throws -> KeyFrame { try await ask("frame.get") }

    /// The state as it is now.
    public func state() async throws -> StateSnapshot {
        try await understood(call("state.get")) { (json) throws(FieldError) in try StateSnapshot(json) }
    }

    /// How the daemon fares.
    public func statistics() async throws -> Statistics { try await ask("stats.get") }

    /// The OpenRPC document of all methods.
    public func discover() async throws -> JSONValue { try await call("rpc.discover") }
}

extension PixelBoopClient {
    /// Calls a method and reads the message that it answers.
    func ask<Reply: WireMessage>(_ method: String, _ parameters: JSONObject = [:]) async throws -> Reply {
        try await understood(call(method, parameters)) { (json) throws(FieldError) in try Reply(json: json) }
    }

    /// Reads members of an answer.
    func read<Value: Sendable>(
        _ json: JSONValue, _ read: @escaping @Sendable (Fields) throws(FieldError) -> Value
    ) throws -> Value {
        try understood(json) { (json) throws(FieldError) in
            try Kind.object(reading: read).value(of: json, field: "result")
        }
    }

    private func understood<Value>(
        _ json: JSONValue, _ read: (JSONValue) throws(FieldError) -> Value
    ) throws(ClientError) -> Value {
        do {
            return try read(json)
        } catch {
            throw .protocolViolation(error.description)
        }
    }
}
