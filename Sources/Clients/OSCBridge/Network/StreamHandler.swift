import NIOCore
import OSC

/// Receives packets by TCP, each between two END bytes. A connection that does not begin with a packet, such as a
/// browser's, is closed before anything is carried out. Nothing is read from a client while there is no room for its
/// packets, and a client that does not read its answers is disconnected.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    static let longestPacket = 524_288
    /// How long to wait for the first packet, and for the client to read enough of earlier answers.
    static let patience = TimeAmount.seconds(10)

    private let table: SenderTable
    private var decoder = SLIPDecoder(limit: longestPacket)
    private var peer = OSCPeer(.tcp, nil)
    private var isOpen = false
    private var isEmpty = true
    private var isTrusted = false
    private var check: RepeatedTask?
    /// Packets that wait for room; nothing is read while there are any.
    private var packets: ArraySlice<[UInt8]> = []
    private var unsent = 0
    /// When the connection last made progress: a packet came, or the output was empty or was written.
    private var lastProgress = NIODeadline.now()

    init(table: SenderTable) { self.table = table }

    func channelActive(context: ChannelHandlerContext) {
        peer = OSCPeer(.tcp, context.remoteAddress)
        guard table.open(peer) else { return context.close(promise: nil) }
        isOpen = true
        lastProgress = .now()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            handler.value.checkProgress(bound.value)
        }
    }

    private func checkProgress(_ context: ChannelHandlerContext) {
        let isWaiting = !isTrusted || unsent > 0
        if isWaiting, lastProgress + Self.patience < .now() { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        guard isOpen, !isEmpty || Self.begins(bytes.first), let packets = try? decoder.receive(bytes) else {
            return context.close(promise: nil)
        }
        isEmpty = false
        self.packets += packets
        deliver(context)
    }

    private func deliver(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let (handler, loop) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.eventLoop)
        let reply = SenderTable.Reply(longest: Self.longestPacket) { bytes, _ in
            try? await loop.flatSubmit { handler.value.send(bytes, bound.value) }.get()
        }
        while let packet = packets.first {
            switch table.receive(packet, from: peer, reply: reply) {
            case .accepted: isTrusted = true
            case .malformed: guard isTrusted else { return context.close(promise: nil) }
            case .full:
                read(false, context)
                return table.whenRoom(for: peer) { self.deliver(context) }
            }
            packets = packets.dropFirst()
        }
        packets = []
        read(true, context)
    }

    private func read(_ isReading: Bool, _ context: ChannelHandlerContext) {
        // Fails when the connection was closed meanwhile.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }

    private func send(_ packet: [UInt8], _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        if unsent == 0 { lastProgress = .now() }
        unsent += 1
        let sent = context.channel.writeAndFlush(ByteBuffer(bytes: SLIP.encode(packet)))
        sent.assumeIsolated().whenComplete { _ in
            self.unsent -= 1
            self.lastProgress = .now()
        }
        return sent
    }

    /// Whether a stream of packets can begin with a byte: END, or the first of a message or a bundle.
    private static func begins(_ byte: UInt8?) -> Bool {
        byte == SLIP.end || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#")
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        packets = []
        guard isOpen else { return }
        isOpen = false
        table.close(peer)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
