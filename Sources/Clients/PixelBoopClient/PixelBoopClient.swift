import JSON
import NIOCore
import NIOPosix
import Synchronization
import SystemSupport
import Wire

/// A connection to the daemon: calls, touches, and the events that it subscribes to.
///
/// Safe to use from any task. Every call can be cancelled; when the connection is lost, all calls throw
/// ``ClientError/connectionLost(reason:)`` and all subscriptions end with it. It closes when it is released.
/// ``connections(to:options:backoff:clock:)`` connects again and again.
public final class PixelBoopClient: Sendable {
    /// How to connect.
    public struct Options: Sendable {
        /// The longest line to accept from the daemon, in bytes.
        public var maximumLineLength = 16 * 1_048_576
        /// How long to wait for the daemon's welcome.
        public var patience = Duration.seconds(5)

        /// The default options.
        public init() {}
    }

    /// The daemon's welcome.
    public let welcome: Welcome
    /// The path of its socket.
    public let path: String

    let connection: ClientConnection

    private init(connection: ClientConnection, welcome: Welcome, path: String) {
        self.connection = connection
        self.welcome = welcome
        self.path = path
    }

    deinit {
        connection.close()
    }

    /// Connects to the daemon and waits for its welcome.
    ///
    /// - Parameters:
    ///   - path: The control socket.
    ///   - options: How long to wait for the daemon, and how long its lines may be.
    /// - Throws: ``ClientError``, or `CancellationError`.
    public static func connect(
        to path: String = SocketPath.standard(), options: Options = Options()
    ) async throws -> PixelBoopClient {
        let connection = ClientConnection()
        let channel = try await open(path, for: connection, options)
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(options.patience)) {
            connection.end(.connectionLost(reason: "no welcome within \(options.patience)"))
            channel.close(promise: nil)
        }
        defer { timeout.cancel() }
        do {
            let welcome = try await connection.waitForWelcome()
            return PixelBoopClient(connection: connection, welcome: welcome, path: path)
        } catch {
            connection.close()
            throw error
        }
    }

    private static func open(
        _ path: String, for connection: ClientConnection, _ options: Options
    ) async throws -> any Channel {
        // NIO limits addresses to 103 bytes, the limit of macOS.
        guard let address = UnixAddress(path: path) else {
            let reason = "the path of a socket has 1 to \(SocketPath.maximumLength) bytes"
            throw ClientError.noDaemon(path: path, reason: reason)
        }
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        connection.state.withLock { $0.channel = channel }
                        try channel.pipeline.syncOperations.addHandler(
                            ClientConnectionHandler(connection: connection, limit: options.maximumLineLength))
                    }
                }
                .connect(to: SocketAddress(address.address)).get()
        } catch let error as IOError {
            throw ClientError.noDaemon(path: path, reason: error.reasonInWords)
        }
    }

    /// Whether calls can still be answered. Known before the subscriptions end.
    package var isConnected: Bool { connection.state.withLock { $0.end == nil } }

    /// Closes the connection; calls and subscriptions end.
    public func close() {
        connection.close()
    }

    /// Calls any method, even those of newer daemons.
    ///
    /// - Throws: ``ClientError``, or `CancellationError`; a cancelled call may have reached the daemon.
    @discardableResult
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONValue {
        try await connection.call(method, parameters)
    }

    /// Calls a method without an answer, and waits until the line is written to the socket.
    public func notify(_ method: String, _ parameters: JSONObject = [:]) async throws {
        try await connection.notify(method, parameters)
    }
}
