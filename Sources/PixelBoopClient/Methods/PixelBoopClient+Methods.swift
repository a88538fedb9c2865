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

    /// Calls a method without wanting an answer, and waits until the system took the line.
    public func notify<Parameters, Result>(
        _ method: Method<Parameters, Result>, _ parameters: Parameters
    ) async throws {
        try await notify(method.name, method.json(of: parameters))
    }
}
