import Control
import Glibc
import Logging
import NIOCore

/// One connection: carries bytes between its socket and its conversation.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let loop: ControlLoop
    private let descriptor: CInt
    private var context: ChannelHandlerContext?
    /// The context's channel, stored because looking it up is slower than using it.
    private var channel: (any Channel)?
    private var conversation: Conversation?
    private var isReadDelayed = false
    private var phase = Phase.open
    /// Writes that wait for room in the socket.
    private var waitingWrites = 0
    private var isFlushing = false
    /// Input that arrived while the daemon was writing.
    private var drained: [ByteBuffer] = []

    private enum Phase {
        case open
        /// The last bytes are being sent; input is discarded.
        case finishing
        case closed
    }

    /// How long a client that was cut off may keep sending before its connection is aborted.
    private static let lingerTime = TimeAmount.seconds(1)

    /// A connection over a socket, which its channel still owns.
    init(_ descriptor: CInt, on loop: ControlLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        channel = context.channel
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        channel = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        conversation = loop.attach(self)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .closed
        if !isFlushing { endConversation() }
        context.fireChannelInactive()
    }

    private func endConversation() {
        guard let conversation else { return }
        self.conversation = nil
        conversation.connectionClosed()
    }

    func read(context: ChannelHandlerContext) {
        // During a write this is called to read the client's last input before a broken connection is closed.
        if isFlushing || conversation?.wantsInput ?? true {
            context.read()
        } else {
            isReadDelayed = true
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .open else { return }
        if isFlushing { drained.append(unwrapInboundIn(data)) } else { conversation?.receive(unwrapInboundIn(data)) }
    }

    /// Handles the input that arrived while the daemon was writing, and the end of the connection if that came too.
    private func catchUp() {
        let missed = drained
        drained = []
        for bytes in missed { conversation?.receive(bytes) }
        if phase == .closed { endConversation() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        loop.schedulePass()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A connection that is finishing ends once everything is sent.
        if case ChannelEvent.inputClosed = event, phase == .open { conversation?.inputEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        loop.logger.debug("connection closed: \(error)")
        context.close(promise: nil)
    }
}

extension ConnectionHandler: ClientOutput {
    var isBlocked: Bool { waitingWrites > 0 }

    var unsentBytes: Int {
        guard isBlocked, let channel else { return 0 }
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    var unreadBytes: Int {
        var count: CInt = 0
        guard phase == .open, ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return unsentBytes }
        return Int(count) + unsentBytes
    }

    /// Writes directly to the socket. Through the channel pipeline a write costs more than the rest of a short answer,
    /// and with a thousand clients most of the time for a picture would be spent there. Bytes for which the socket has
    /// no room, and all bytes after them while they wait, go through the pipeline.
    func send(_ lines: ByteBuffer) {
        // A closed descriptor may be another connection's by now.
        guard phase == .open, let channel, channel.isActive else { return }
        var rest = lines
        if !isBlocked {
            let sent = lines.withUnsafeReadableBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            guard sent < lines.readableBytes else { return }
            rest.moveReaderIndex(forwardBy: max(sent, 0))
        }
        enqueue(rest)
        flush()
    }

    /// Has the pipeline send bytes when there is room. The channel's writability would not say when they are sent: with a
    /// single byte left, a channel is still writable.
    private func enqueue(_ bytes: ByteBuffer) {
        guard let context else { return }
        waitingWrites += 1
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            waitingWrites -= 1
            guard !isBlocked else { return }
            // Later, because a caller of `send` may be delivering pictures.
            context.eventLoop.assumeIsolated().execute { [self] in loop.subscribersChanged() }
        }
        context.write(wrapOutboundOut(bytes), promise: sent)
    }

    /// A failed write reads the client's last input and closes the channel before it returns. The caller is not
    /// prepared for that, so it is handled later.
    private func flush() {
        guard let context else { return }
        isFlushing = true
        context.flush()
        isFlushing = false
        if phase == .closed || !drained.isEmpty {
            context.eventLoop.assumeIsolated().execute { [self] in catchUp() }
        }
    }

    func resumeInput() {
        guard isReadDelayed else { return }
        isReadDelayed = false
        context?.read()
    }

    func finish(lingering: Bool) {
        guard phase == .open, let context else { return }
        phase = .finishing
        // An empty write is done once everything before it is.
        let lastWord = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: lastWord)
        lastWord.futureResult.assumeIsolated().whenComplete { [self] _ in
            if lingering { linger() } else { abort() }
        }
    }

    func abort() {
        context?.close(promise: nil)
    }

    /// Shuts down the sending side, and keeps reading for a while: if closed at once, a client that is still sending
    /// would see a broken pipe instead of the answer.
    private func linger() {
        guard let context else { return }
        context.close(mode: .output, promise: nil)
        resumeInput()
        context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionHandler.lingerTime) { [self] in abort() }
    }
}
