import NIOCore
import OSC

/// Packets by TCP, each between two END bytes. What does not begin with a packet, as a browser that was led here, is closed
/// before anything of it is carried out.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Bytes that a packet may have, as many as a line of the control socket.
    static let longestPacket = 524_288
    /// How long the first packet may take.
    static let patience = TimeAmount.seconds(10)

    private let table: SenderTable
    private var decoder = SLIPDecoder(limit: longestPacket)
    private var name = ""
    private var isEmpty = true
    private var isTrusted = false
    private var timeout: Scheduled<Void>?

    init(table: SenderTable) { self.table = table }

    func channelActive(context: ChannelHandlerContext) {
        name = "tcp \(context.remoteAddress?.place ?? "?")"
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        timeout = context.value.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            if !self.isTrusted { context.value.close(promise: nil) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        guard !isEmpty || Self.begins(bytes.first), let packets = try? decoder.receive(bytes) else {
            return context.close(promise: nil)
        }
        isEmpty = false
        let channel = context.channel
        for packet in packets {
            let isPacket = table.receive(packet, from: name, longestAnswer: Self.longestPacket) { bytes in
                try? await channel.writeAndFlush(ByteBuffer(bytes: SLIP.encode(bytes))).get()
            }
            guard isPacket || isTrusted else { return context.close(promise: nil) }
            isTrusted = true
        }
    }

    /// Whether a stream of packets can begin so: with END, or at once with a message or a bundle.
    private static func begins(_ byte: UInt8?) -> Bool {
        byte == SLIP.end || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#")
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        table.remove(name)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
