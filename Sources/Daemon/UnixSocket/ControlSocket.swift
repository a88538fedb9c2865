import Control
import Logging
import NIOCore
import NIOPosix
import ServerSupport

/// The control socket: accepts clients on a Unix-domain socket and attaches them to the control core.
public struct ControlSocket: Sendable {
    /// The address to listen on, and who may connect.
    public struct Configuration: Sendable {
        /// The address that clients connect to.
        public enum Address: Equatable, Sendable {
            /// A socket to create. A directory that is the daemon's own gets the right permissions even if it already
            /// exists.
            case path(String, ownsDirectory: Bool)
            /// A socket that is already listening (`LISTEN_FDS`).
            case descriptor(CInt)
        }

        /// The address that clients connect to.
        public var address: Address
        /// Who may connect.
        public var access = SocketAccess()
        /// The size of a socket's send buffer in bytes: it limits the outdated diffs that a slow client still receives.
        public var sendBuffer = 8192

        public init(address: Address) {
            self.address = address
        }
    }

    private let socket: ListeningSocket
    private let listener: any Channel

    /// Starts listening; clients are served once this returns.
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

    /// Accepts no more clients; connected ones stay.
    public func close() async {
        socket.removeFile()
        try? await listener.close()
    }

    private static func listen(
        on socket: ListeningSocket, _ configuration: Configuration, for core: ControlCore
    ) async throws -> any Channel {
        let access = configuration.access
        let loop = core.loop
        return try await ServerBootstrap(group: core.eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptPause(logger: loop.value.logger).handler())
                }
            }
            // Few enough connections to refuse without running out of descriptors or delaying other clients.
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One read at a time, so that a client that sends a lot does not delay the others.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16_384)
            )
            .childChannelOption(.socketOption(.so_sndbuf), value: configuration.sendBuffer)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    guard let descriptor = try pipeline.withUnsafeTransportIfAvailable(of: CInt.self, { $0 }),
                        let peer = PeerCredentials(socket: descriptor), access.admits(peer)
                    else {
                        loop.value.logger.notice("refused a client of another user")
                        throw ChannelError.operationUnsupported
                    }
                    try pipeline.addHandler(ConnectionHandler(descriptor, on: loop.value))
                }
            }
            .withBoundSocket(socket.descriptor)
            .get()
    }
}
