import Logging
import PixelBoopClient

/// Keeps a surface connected: reconnects when the daemon comes back, and passes its events on.
public struct DaemonLink: Sendable {
    /// The surface's client name.
    let name: String
    /// The control socket.
    let socketPath: String
    let logger: Logger
    let backoff: Backoff
    var clock: any Clock<Duration> = ContinuousClock()

    /// Makes a link that ``follow(_:)`` connects.
    ///
    /// - Parameters:
    ///   - name: The surface's name, as the daemon lists it among its clients.
    ///   - socketPath: The control socket.
    ///   - logger: Where connections, and their loss, are logged.
    ///   - backoff: How long to wait between attempts.
    public init(name: String, socketPath: String, logger: Logger, backoff: Backoff = Backoff()) {
        self.name = name
        self.socketPath = socketPath
        self.logger = logger
        self.backoff = backoff
    }

    /// Keeps a surface connected until the task is cancelled. A missing daemon, and one that refuses, are logged once.
    public func follow(_ surface: some Surface) async {
        var lastReason = ""
        await PixelBoopClient.stayConnected(to: socketPath, backoff: backoff, clock: clock) { client in
            let events = try await subscribe(surface.interest, by: client)
            lastReason = ""
            await serve(surface, events, by: client)
        } failed: { error, _ in
            if lastReason != "\(error)" { logger.warning("\(error); trying again") }
            lastReason = "\(error)"
        }
    }

    private func subscribe(_ interest: Interest, by client: PixelBoopClient) async throws -> Subscription {
        try await client.hello(client: name, touch: interest.touch)
        return try await client.subscribe(to: interest.topics, maximumFrameRate: interest.maximumFrameRate)
    }

    /// Serves a surface until the connection is lost or the task is cancelled.
    private func serve(_ surface: some Surface, _ events: Subscription, by client: PixelBoopClient) async {
        logger.info("connected to \(socketPath)")
        await surface.connected(to: client)
        do {
            for try await event in events { await surface.received(event) }
        } catch {
            logger.info("\(error)")
        }
        await surface.disconnected()
    }
}
