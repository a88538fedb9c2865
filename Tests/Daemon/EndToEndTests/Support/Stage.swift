import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import Wire

/// A JACK server with a name of its own, and a daemon that plays on it.
struct Stage {
    let server: JackServer
    let daemon: DaemonProcess

    /// Runs a test body on a stage, and always clears it.
    ///
    /// - Parameters:
    ///   - isSynchronous: Whether the server waits for its clients; necessary for recordings without gaps.
    ///   - limit: When to cancel the body.
    ///   - flags: Further flags of the daemon.
    ///   - environment: Further variables of the daemon.
    static func with(
        period: Int = 256, isSynchronous: Bool = true, limit: Duration = .seconds(60), flags: [String] = [],
        environment: [String: String] = [:], _ body: @escaping @Sendable (Stage) async throws -> Void
    ) async throws {
        try await JackServer.with(period: period, isSynchronous: isSynchronous, limit: limit) { server in
            let daemon = try DaemonProcess(jackServer: server.name, flags: flags, environment: environment)
            let stage = Stage(server: server, daemon: daemon)
            try await stage.daemon.start()
            try await body(stage)
            _ = await stage.daemon.end(with: SIGTERM)
        }
    }

    /// A client, once the daemon's audio runs.
    func connect() async throws -> PixelBoopClient {
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        return client
    }
}

extension PixelBoopClient {
    @discardableResult
    func tap(column: Int, row: Int, finger: Int = 1) async throws -> TouchOutcome {
        // Without waiting for an answer, because a finger that stays too long holds.
        try await send(Touch(id: finger, .down, column: column, row: row))
        return try await perform(Touch(id: finger, .up, column: column, row: row))
    }
}
