import JSON
import Wire

extension PixelBoopClient {
    /// Calls a method of the protocol, with types.
    ///
    /// - Parameters:
    ///   - method: The method, one of `Methods`.
    ///   - parameters: The values of the method's parameters: one, or a tuple of several.
    /// - Throws: ``ClientError``, or `CancellationError`; a cancelled call may have reached the daemon.
    @discardableResult
    public func call<Parameters, Result>(
        _ method: Method<Parameters, Result>, _ parameters: Parameters
    ) async throws -> Result {
        let json = try await call(method.name, method.json(of: parameters))
        do {
            return try method.result.value(of: json, field: "result")
        } catch {
            throw ClientError.protocolViolation(error.description)
        }
    }

    /// Calls a method without parameters.
    @discardableResult
    public func call<Result>(_ method: Method<Void, Result>) async throws -> Result {
        try await call(method, ())
    }

    /// Calls a method without an answer, and waits until the line is written to the socket.
    public func notify<Parameters, Result>(
        _ method: Method<Parameters, Result>, _ parameters: Parameters
    ) async throws {
        try await notify(method.name, method.json(of: parameters))
    }
}

extension PixelBoopClient {
    /// Checks that the daemon answers.
    public func ping() async throws { try await call(Methods.ping) }

    /// Waits until all earlier changes are on the daemon's disk.
    public func flush() async throws { try await call(Methods.flush) }

    /// The current picture.
    public func frame() async throws -> KeyFrame { try await call(Methods.frame) }

    /// The current state.
    public func state() async throws -> StateSnapshot {
        let json = try await call(Methods.state)
        do {
            return try StateSnapshot(json)
        } catch {
            throw ClientError.protocolViolation(error.description)
        }
    }

    /// The daemon's statistics.
    public func statistics() async throws -> Statistics { try await call(Methods.statistics) }

    /// All of the daemon's JACK ports, and their connections.
    public func ports() async throws -> [InstrumentPort] { try await call(Methods.ports) }

    /// The OpenRPC document of all methods.
    public func discover() async throws -> JSONValue { .object(try await call(Methods.discover)) }
}
