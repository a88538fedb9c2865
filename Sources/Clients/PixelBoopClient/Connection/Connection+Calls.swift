import JSON
import Synchronization
import Wire

extension ClientConnection {
    /// Calls a method and waits for the answer.
    func call(_ method: String, _ parameters: JSONObject) async throws -> JSONValue {
        try await wait { connection, id in
            try connection.state.withLock { try $0.send(.call(id, method, parameters)) }
        }
    }

    /// Sends a notification and waits until it is written to the socket, so that a caller that sends too fast is slowed
    /// down.
    func notify(_ method: String, _ parameters: JSONObject) async throws {
        _ = try await wait { connection, id in
            try connection.state.withLock { state in
                try state.send(.call(nil, method, parameters)) { result in
                    // A failure to write ends the connection, which answers the call.
                    if case .success = result { connection.complete(id, .success(.null)) }
                }
            }
        }
    }

    /// Waits for the daemon's welcome.
    func waitForWelcome() async throws -> Welcome {
        _ = try await wait { connection, id in
            let isHere = connection.state.withLock { state in
                state.welcomeCall = id
                return state.welcome != nil
            }
            if isHere { connection.complete(id, .success(.null)) }
        }
        return try state.withLock { state in
            guard let welcome = state.welcome else { throw ClientError.protocolViolation("no welcome") }
            return welcome
        }
    }

    /// Starts a call and waits for its answer; leaves nothing behind when the task is cancelled.
    func wait(_ start: (ClientConnection, _ id: Int) throws -> Void) async throws -> JSONValue {
        try Task.checkCancellation()
        let (answers, call) = AsyncThrowingStream<JSONValue, any Error>.makeStream()
        let id = try state.withLock { state in
            if let end = state.end { throw end }
            let id = state.nextID()
            state.calls[id] = call
            return id
        }
        defer { state.withLock { $0.calls[id] = nil } }
        try start(self, id)
        for try await answer in answers { return answer }
        throw CancellationError()
    }

    func complete(_ id: Int, _ result: Result<JSONValue, any Error>) {
        state.withLock { $0.calls.removeValue(forKey: id) }?.yield(with: result)
    }
}

extension [UInt8] {
    /// The line that calls a method; without an ID, as a notification.
    static func call(_ id: Int?, _ method: String, _ parameters: JSONObject) -> [UInt8] {
        Request(id: id.map { .integer($0) }, method: method, parameters: .byName(parameters)).line
    }

    /// The line that calls a method as the protocol describes it.
    static func call<Parameters, Result>(
        _ id: Int?, _ method: Method<Parameters, Result>, _ parameters: Parameters
    ) -> [UInt8] {
        call(id, method.name, method.json(of: parameters))
    }
}
