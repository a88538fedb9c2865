import Control
import Logging
import NIOCore
import NIOPosix
import Streams

/// The control socket: accepts clients on a Unix-domain socket and attaches them to the control core.
public struct ControlSocket: Sendable {
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
        /// Who may connect.
        public var access = SocketAccess()
        /// Room that the kernel gives to what is on its way to a client, in bytes. A client that does not read gets
        /// no more than this of outdated diffs when it reads again.
        public var sendBuffer = 8192

        /// Where to listen.
        public init(address: Address) {
            self.address = address
        }
    }

    private let socket: ListeningSocket
    private let listener: any Channel

    /// Starts to listen; clients are served when this returns.
    ///
    /// - Throws: ``ListenError``.
    public init(_ configuration: Configuration, for core: ControlCore) async throws {
        socket =
            switch configuration.address {
            case .path(let path, let ownsDirectory):
                try ListeningSocket(path: path, ownsDirectory: ownsDirectory, access: configuration.access)
            case .descriptor(let descriptor): try ListeningSocket(adopting: descriptor)
            }
        listener = try await ControlSocket.listen(on: socket, configuration, for: core)
        socket.restoreBacklog()
    }

    /// Takes no more clients; those who are connected stay.
    public func close() async {
        socket.removeFile()
        try? await listener.close()
    }

    private static func listen(
        on socket: ListeningSocket, _ configuration: Configuration, for core: ControlCore
    ) async throws -> any Channel {
        let access = configuration.access
        let loop = core.loop
        // Any byte that is pending makes a channel not writable, so that diffs are made only for an empty queue.
        let anyByte = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1)
        return try await ServerBootstrap(group: core.eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptPause(logger: loop.value.logger).handler())
                }
            }
            // Few enough to be refused without running out of descriptors, and not to hold the others up.
            .serverChannelOption(.maxMessagesPerRead, value: 16)
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
}
