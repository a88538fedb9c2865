import NIOCore
import NIOPosix
import OSC

/// The socket to the session manager: whatever we say leaves from it, because the manager tells its clients apart by that.
final class ManagerLink: Sendable {
    private let channel: any Channel
    private let manager: SocketAddress

    private init(_ channel: any Channel, _ manager: SocketAddress) {
        self.channel = channel
        self.manager = manager
    }

    /// Opens the socket.
    ///
    /// - Parameter receive: Is given every message of the manager.
    /// - Throws: Why there is no way to the manager.
    static func open(
        to address: ManagerAddress, receive: @escaping @Sendable (ManagerMessage) -> Void
    ) async throws -> ManagerLink {
        let host = try address.resolve()
        let manager = try SocketAddress(ipAddress: host, port: Int(address.port))
        // A manager of this machine needs no door to the network.
        let ours = try SocketAddress(ipAddress: host.hasPrefix("127.") ? "127.0.0.1" : "0.0.0.0", port: 0)
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ManagerHandler(port: Int(address.port), receive: receive))
                }
            }
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .bind(to: ours).get()
        return ManagerLink(channel, manager)
    }

    /// Sends a message to the manager; one that the system does not take is lost, as any may be on its way.
    func send(_ message: OSCMessage) async {
        try? await channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: manager, data: ByteBuffer(bytes: message.bytes))
        ).get()
    }

    /// Closes the socket.
    func close() async { try? await channel.close().get() }
}

/// Reads what comes from the manager's port. Whatever comes from another is nobody's who may open or save.
private final class ManagerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let port: Int
    private let receive: @Sendable (ManagerMessage) -> Void

    init(port: Int, receive: @escaping @Sendable (ManagerMessage) -> Void) {
        self.port = port
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard envelope.remoteAddress.port == port,
            let packet = try? OSCPacket(decoding: envelope.data.readableBytesView)
        else { return }
        read(packet)
    }

    private func read(_ packet: OSCPacket) {
        switch packet {
        case .bundle(_, let elements): for element in elements { read(element) }
        case .message(let message): if let message = ManagerMessage(message) { receive(message) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // That a manager is gone for now is no reason to stop listening to it.
    }
}
