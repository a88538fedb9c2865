import JSON
import Wire

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
