import JSON
import Wire

extension PixelBoopClient {
    /// Calls a method as the protocol describes it.
    ///
    /// - Parameters:
    ///   - method: The method, one of `Methods`.
    ///   - parameters: The values of the method's parameters: one, or a tuple of several.
    /// - Throws: ``ClientError``, or `CancellationError`; a call that is cancelled may have reached the daemon.
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

    /// Calls a method without an answer, and waits until the line was written to the socket.
    public func notify<Parameters, Result>(
        _ method: Method<Parameters, Result>, _ parameters: Parameters
    ) async throws {
        try await notify(method.name, method.json(of: parameters))
    }
}

extension PixelBoopClient {
    /// Waits for a sign of life.
    public func ping() async throws { try await call(Methods.ping) }

    /// Waits until everything that was changed before is on the daemon's disk.
    public func flush() async throws { try await call(Methods.flush) }

    /// The picture as it is now.
    public func frame() async throws -> KeyFrame { try await call(Methods.frame) }

    /// The state as it is now.
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

    /// All of the daemon's ports in JACK, and what each is connected to.
    public func ports() async throws -> [InstrumentPort] { try await call(Methods.ports) }

    /// The OpenRPC document of all methods.
    public func discover() async throws -> JSONValue { .object(try await call(Methods.discover)) }
}
