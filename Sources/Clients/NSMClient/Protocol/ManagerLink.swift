import NIOCore
import NIOPosix
import OSC
import SystemSupport

/// The socket to the session manager. Everything that we send leaves from it, because the manager identifies its
/// clients by their address.
final class ManagerLink: Sendable {
    private let channel: any Channel
    private let manager: SocketAddress

    private init(_ channel: any Channel, _ manager: SocketAddress) {
        self.channel = channel
        self.manager = manager
    }

    /// Opens the socket.
    ///
    /// - Parameter receive: Called with every message from the manager.
    /// - Throws: Why the manager cannot be reached.
    static func open(
        to address: ManagerAddress, receive: @escaping @Sendable (ManagerMessage) -> Void
    ) async throws -> ManagerLink {
        let host = try address.resolve()
        let manager = try SocketAddress(ipAddress: host.text, port: Int(address.port))
        let local = try ManagerAddress.localAddress(facing: host, port: address.port)
        let ours = try SocketAddress(ipAddress: local.text, port: 0)
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ManagerHandler(from: manager, to: ours, receive: receive))
                }
            }
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .bind(to: ours).get()
        return ManagerLink(channel, manager)
    }

    /// Sends a message to the manager; if there is no room it is lost, as any datagram may be.
    func send(_ message: OSCMessage) async {
        try? await channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: manager, data: ByteBuffer(bytes: message.bytes))
        ).get()
    }

    func close() async { try? await channel.close().get() }
}

/// Reads packets from the manager's address and port. Others may not open or save projects, so their packets are ignored.
private final class ManagerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let managers: [SocketAddress]
    private let receive: @Sendable (ManagerMessage) -> Void

    init(from manager: SocketAddress, to ours: SocketAddress, receive: @escaping @Sendable (ManagerMessage) -> Void) {
        // A machine's own name is often 127.0.1.1. A manager that listens on all addresses then answers from 127.0.0.1.
        let isLocal = manager.ipAddress?.hasPrefix("127.") == true
        let other = isLocal ? try? SocketAddress(ipAddress: ours.ipAddress ?? "", port: manager.port ?? 0) : nil
        managers = [manager] + (other.map { [$0] } ?? [])
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard managers.contains(envelope.remoteAddress),
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
        // The manager may be back later, so keep listening.
    }
}
