/// The outcome of an attempt to connect.
public enum ConnectionAttempt: Sendable {
    /// There is a connection.
    case connected(PixelBoopClient)
    /// There is no connection; the next attempt follows after the wait.
    case waiting(ClientError, retryAfter: Duration)
}

/// How long to wait between attempts to connect: doubling from a first wait up to a longest.
public struct Backoff: Equatable, Sendable {
    /// The wait after the first failure.
    public var first: Duration
    /// The longest wait.
    public var longest: Duration

    /// 0.25 s, doubling to 4 s, by default.
    public init(first: Duration = .milliseconds(250), longest: Duration = .seconds(4)) {
        self.first = first
        self.longest = longest
    }

    /// The wait after a number of failures in a row, from 1.
    public func wait(afterFailures failures: Int) -> Duration {
        var wait = first
        var doublings = failures - 1
        while doublings > 0 && wait < longest {
            wait *= 2
            doublings -= 1
        }
        return min(wait, longest)
    }
}

/// Connections to the daemon, one after the other, each made when the next element is requested.
///
///     for await link in PixelBoopClient.connections() {
///         guard case .connected(let client) = link else { continue }
///         // Use the client until it throws; the loop then connects again.
///     }
///
/// A failed attempt is an element too, so that a program can report it. The wait before the next attempt, also after a
/// lost connection, happens when the next element is requested. The sequence ends when its task is cancelled. A server
/// that speaks another protocol is tried again like any other: it may be replaced.
public struct Reconnection<C: Clock<Duration>>: AsyncSequence, Sendable {
    /// A connection, or why there is none.
    public typealias Element = ConnectionAttempt
    /// Failing to connect is an element, not an end.
    public typealias Failure = Never

    let backoff: Backoff
    let clock: C
    let connect: @Sendable () async throws -> PixelBoopClient

    /// Starts with an immediate attempt.
    public func makeAsyncIterator() -> Iterator { Iterator(reconnection: self) }

    /// The position in the sequence of attempts.
    public struct Iterator: AsyncIteratorProtocol {
        let reconnection: Reconnection
        /// Attempts since the last connection, nil before the very first.
        private var failures: Int?
        /// Connections in a row whose use was refused.
        private var refusals = 0

        init(reconnection: Reconnection) {
            self.reconnection = reconnection
        }

        /// Waits after a failure, then tries to connect; nil when cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ConnectionAttempt? {
            do {
                // After a connection too: clients that a daemon drops all at once must not flood it.
                if failures != nil { try await reconnection.clock.sleep(for: wait) }
                try Task.checkCancellation()
                let client = try await reconnection.connect()
                failures = 0
                return .connected(client)
            } catch {
                if error is CancellationError || Task.isCancelled { return nil }
                failures = (failures ?? 0) + 1
                let error = error as? ClientError ?? .connectionLost(reason: String(describing: error))
                return .waiting(error, retryAfter: wait)
            }
        }

        /// The wait before the next attempt.
        private var wait: Duration { reconnection.backoff.wait(afterFailures: Swift.max(failures ?? 0, refusals)) }

        /// Notes how the use of the last connection ended. If the daemon refused it, it probably will again, so waits
        /// grow as if there were no daemon.
        mutating func noteEnd(_ error: (any Error)?) {
            if case ClientError.refused? = error { refusals += 1 } else { refusals = 0 }
        }
    }
}

extension PixelBoopClient {
    /// Uses one connection after the other until the task is cancelled. Each is closed when its use ends. While the daemon
    /// refuses what `use` calls, waits grow, too.
    ///
    /// - Parameters:
    ///   - path: The control socket.
    ///   - backoff: How long to wait between attempts.
    ///   - isolation: The actor that `use` and `failed` run on: the caller's.
    ///   - use: Uses a connection until any call or sequence of events throws because it is lost.
    ///   - failed: Called with the error that `use` threw, or with why there is no connection and the wait before the
    ///     next attempt.
    public static func stayConnected(
        to path: String = SocketPath.standard(), backoff: Backoff = Backoff(),
        isolation: isolated (any Actor)? = #isolation, _ use: (PixelBoopClient) async throws -> Void,
        failed: (_ error: any Error, _ retryAfter: Duration?) async -> Void
    ) async {
        await stayConnected(
            to: path, backoff: backoff, clock: ContinuousClock(), isolation: isolation, use, failed: failed)
    }

    /// The same, with waits on the given clock.
    package static func stayConnected(
        to path: String, backoff: Backoff, clock: some Clock<Duration>,
        isolation: isolated (any Actor)? = #isolation, _ use: (PixelBoopClient) async throws -> Void,
        failed: (_ error: any Error, _ retryAfter: Duration?) async -> Void
    ) async {
        var links = connections(to: path, backoff: backoff, clock: clock).makeAsyncIterator()
        while let link = await links.next(isolation: isolation) {
            switch link {
            case .connected(let client):
                defer { client.close() }
                do {
                    try await use(client)
                    links.noteEnd(nil)
                } catch {
                    links.noteEnd(error)
                    if !Task.isCancelled { await failed(error, nil) }
                }
            case .waiting(let error, let wait): await failed(error, wait)
            }
        }
    }

    /// Connects again and again, with growing waits while that fails.
    public static func connections(
        to path: String = SocketPath.standard(), options: Options = Options(), backoff: Backoff = Backoff()
    ) -> Reconnection<ContinuousClock> {
        connections(to: path, options: options, backoff: backoff, clock: ContinuousClock())
    }

    /// Connects again and again, with waits on the given clock.
    public static func connections<C: Clock<Duration>>(
        to path: String, options: Options = Options(), backoff: Backoff = Backoff(), clock: C
    ) -> Reconnection<C> {
        Reconnection(backoff: backoff, clock: clock) {
            try await connect(to: path, options: options)
        }
    }
}
