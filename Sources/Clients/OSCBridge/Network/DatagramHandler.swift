import NIOCore

/// Receives packets by UDP, one per datagram.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    static let longestDatagram = 65_507

    private let table: SenderTable

    init(table: SenderTable) { self.table = table }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let (channel, address) = (context.channel, envelope.remoteAddress)
        let reply = SenderTable.Reply(longest: Self.longestDatagram) { bytes, port in
            var place = address
            place.port = port
            let envelope = AddressedEnvelope(remoteAddress: place, data: ByteBuffer(bytes: bytes))
            try? await channel.writeAndFlush(envelope).get()
        }
        if table.receive(envelope.data.readableBytesView, from: OSCPeer(.udp, address), reply: reply) == .full {
            table.drop()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused answer does not stop us from listening.
    }
}

extension SocketAddress {
    /// `127.0.0.1:9000`
    var place: String { "\(ipAddress ?? "?"):\(port ?? 0)" }
}
