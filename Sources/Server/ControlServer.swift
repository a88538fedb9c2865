import Logging
import NIOCore
import NIOPosix
import Session
import Wire

/// The control socket: accepts clients on a Unix-domain socket and serves them from the control event loop.
public final class ControlServer: Sendable {
    /// Where and for whom to listen.
    public struct Configuration: Sendable {
        /// What clients connect to.
        public enum Address: Equatable, Sendable {
            /// A socket to be made. In a directory that is the daemon's own the permissions are set even if it was
            /// there before.
            case path(String, ownsDirectory: Bool)
            /// A socket that listens already (`LISTEN_FDS`).
            case descriptor(CInt)
        }

        /// What clients connect to.
        public var address: Address
        /// The program's version, for the welcome.
        public var version: String
        /// Who may connect.
        public var access = SocketAccess()
        /// Clients that may be connected at once.
        public var maximumClients = 1024
        /// Room that the kernel gives to what is on its way to a client, in bytes. A client that does not read gets
        /// no more than this of outdated diffs when it reads again.
        public var sendBuffer = 8192

        /// Where to listen.
        public init(address: Address, version: String) {
            self.address = address
            self.version = version
        }
    }

    private let socket: ListeningSocket
    private let listener: any Channel
    private let loop: NIOLoopBound<ControlLoop>
    private let eventLoop: any EventLoop

    private init(
        socket: ListeningSocket, listener: any Channel, loop: NIOLoopBound<ControlLoop>, eventLoop: any EventLoop
    ) {
        self.socket = socket
        self.listener = listener
        self.loop = loop
        self.eventLoop = eventLoop
    }

    /// Starts to listen; clients are served when this returns.
    ///
    /// - Parameters:
    ///   - eventLoop: The control event loop, whose executor the session must be on.
    ///   - didPass: Called on the control event loop whenever input was served or time has passed for the session: the
    ///     moment to look for changes, and a sign of life for a watchdog.
    /// - Throws: ``ListenError``.
    public static func start(
        _ configuration: Configuration, on eventLoop: any EventLoop, session: Session,
        services: any ControlServices, logger: Logger, didPass: @escaping @Sendable () -> Void = {}
    ) async throws -> ControlServer {
        let socket =
            switch configuration.address {
            case .path(let path, let ownsDirectory):
                try ListeningSocket(path: path, ownsDirectory: ownsDirectory, access: configuration.access)
            case .descriptor(let descriptor): try ListeningSocket(adopting: descriptor)
            }
        let settings = ControlLoop.Settings(
            version: configuration.version, maximumClients: configuration.maximumClients)
        let loop = try await eventLoop.submit {
            let loop = ControlLoop(
                on: eventLoop, session: session, services: services, settings: settings, logger: logger,
                didPass: didPass)
            return NIOLoopBound(loop, eventLoop: eventLoop)
        }.get()
        let listener = try await listen(on: socket, configuration, loop: loop, eventLoop: eventLoop)
        socket.restoreBacklog()
        return ControlServer(socket: socket, listener: listener, loop: loop, eventLoop: eventLoop)
    }

    private static func listen(
        on socket: ListeningSocket, _ configuration: Configuration, loop: NIOLoopBound<ControlLoop>,
        eventLoop: any EventLoop
    ) async throws -> any Channel {
        let access = configuration.access
        // Any byte that is pending makes a channel not writable, so that diffs are made only for an empty queue.
        let anyByte = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1)
        return try await ServerBootstrap(group: eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .serverChannelOption(.maxMessagesPerRead, value: 64)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One read a turn: a client that sends a lot gets its turn as often as the others.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16_384)
            )
            .childChannelOption(.writeBufferWaterMark, value: anyByte)
            .childChannelOption(.socketOption(.so_sndbuf), value: configuration.sendBuffer)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    guard let descriptor = try pipeline.withUnsafeTransportIfAvailable(of: CInt.self, { $0 }),
                        let peer = PeerCredentials(socket: descriptor), access.admits(peer)
                    else {
                        loop.value.logger.notice("a client of another user was turned away")
                        throw ChannelError.operationUnsupported
                    }
                    try pipeline.addHandler(ConnectionHandler(descriptor, on: loop.value))
                }
            }
            .withBoundSocket(socket.descriptor)
            .get()
    }

    // MARK: What others have to tell

    /// Has the session looked at soon; from any thread but the process callback's.
    public func wake() {
        eventLoop.execute { [loop] in loop.value.schedulePass() }
    }

    /// Tells what became of the audio driver.
    ///
    /// - Parameter timing: How the driver's clock relates to the ``ControlClock``.
    public func audioChanged(to status: AudioStatus, timing: AudioTiming = AudioTiming()) {
        eventLoop.execute { [loop] in loop.value.audioChanged(to: status, timing: timing) }
    }

    /// Sets how many clients may be connected at once; those who are stay.
    public func allowClients(_ count: Int) {
        eventLoop.execute { [loop] in loop.value.settings.maximumClients = count }
    }

    /// Lets all sound fade out; returns when the process callback has been told.
    public func silence() async {
        try? await eventLoop.submit { [loop] in loop.value.withSession { $0.silence() } }.get()
    }

    /// Tells whether edits reach the disk.
    public func storageChanged(to state: StorageState) {
        eventLoop.execute { [loop] in loop.value.storageChanged(to: state) }
    }

    // MARK: The end

    /// Takes no more clients, says `bye` to those who are there, and closes their connections once that has left.
    ///
    /// - Parameters:
    ///   - reason: What clients are told.
    ///   - limit: How long to wait for clients that do not read.
    public func shutdown(reason: String, within limit: Duration) async {
        socket.removeFile()
        try? await listener.close()
        let gone = eventLoop.flatSubmit { [loop, eventLoop] in
            let control = loop.value
            control.dismissAll(reason: reason)
            let cut = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { control.abortAll() }
            return control.allGone().assumeIsolated().always { _ in
                cut.cancel()
                control.stop()
            }.nonisolated()
        }
        try? await gone.get()
    }
}
