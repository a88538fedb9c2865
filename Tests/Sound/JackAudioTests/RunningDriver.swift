import Engine
import Instrument
import JackAudio
import JackTestSupport
import Music
import SystemSupport

/// A driver in the middle of a test, whose events are awaited one after another.
final class RunningDriver {
    /// An event did not come before the driver ended or the test timed out.
    struct Missing: Error {
        let seen: [JackEvent]
    }

    let engine: Engine
    let supervisor: JackSupervisor
    private(set) var seen: [JackEvent] = []
    private var events: AsyncStream<JackEvent>.Iterator

    private init(_ configuration: JackConfiguration, _ memory: MemoryKeeping, _ opening: JackOpening?) throws {
        engine = Engine(score: .test())
        supervisor = try JackSupervisor(
            engine: engine, configuration: configuration, memory: memory, opening: opening)
        events = supervisor.events.makeAsyncIterator()
    }

    /// Runs a test body with a driver, and ends the driver whatever happens.
    static func with(
        _ server: JackServer, _ configure: (inout JackConfiguration) -> Void = { _ in },
        memory: MemoryKeeping = .none, opensEarly: Bool = false,
        _ body: (RunningDriver) async throws -> Void
    ) async throws {
        var configuration = JackConfiguration(serverName: server.name)
        configure(&configuration)
        let driver = try RunningDriver(configuration, memory, opensEarly ? JackOpening(configuration) : nil)
        let running = Task { [supervisor = driver.supervisor] in try await supervisor.run() }
        do {
            try await body(driver)
        } catch {
            await driver.supervisor.stop()
            throw error
        }
        await driver.supervisor.stop()
        try await running.value
    }

    /// The newest status that was seen.
    var status: JackStatus? {
        seen.reversed().lazy.compactMap { if case .status(let status) = $0 { status } else { nil } }.first
    }

    /// The next event that matches.
    @discardableResult
    func next<Value>(_ matching: (JackEvent) -> Value?) async throws -> Value {
        while let event = await events.next(isolation: #isolation) {
            seen.append(event)
            if let value = matching(event) { return value }
        }
        throw Missing(seen: seen)
    }

    /// The next status with a state.
    @discardableResult
    func next(_ state: DriverState) async throws -> JackStatus {
        try await next { event in
            if case .status(let status) = event, status.state == state { status } else { nil }
        }
    }

    /// The next time when the remembered connections are these.
    func next(connections expected: JackConnections) async throws {
        try await next { event in
            event == .connections(expected) ? true : nil
        }
    }

    /// The session, once JACK calls for audio.
    func session() async throws -> JackSession {
        let status = try await next(.running)
        guard let session = status.session else { throw Missing(seen: seen) }
        return session
    }
}
