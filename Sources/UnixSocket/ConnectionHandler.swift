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
    /// The context's, kept because asking for it takes longer than asking it.
    private var channel: (any Channel)?
    private var conversation: Conversation?
    private var isReadDelayed = false
    private var phase = Phase.open
    private(set) var isBlocked = false
    private var isFlushing = false
    /// What came in while the daemon was writing.
    private var drained: [ByteBuffer] = []

    private enum Phase {
        case open
        /// The last words are on their way; what comes in is thrown away.
        case finishing
        case closed
    }

    /// How long a client that was cut off may go on sending before its connection is closed hard.
    private static let lingerTime = TimeAmount.seconds(1)

    /// A connection over a socket, which remains its channel's.
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
        // During a write this asks for the client's last words, before a connection that broke is closed.
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

    /// Takes what came in while the daemon was writing, and the end if that came too.
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
        if case ChannelEvent.inputClosed = event {
            if phase == .open, let conversation { conversation.inputEnded() } else { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isBlocked, context.channel.isWritable {
            isBlocked = false
            loop.subscribersChanged()
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        loop.logger.debug("connection closed: \(error)")
        context.close(promise: nil)
    }
}

extension ConnectionHandler: ClientOutput {
    var unsentBytes: Int {
        guard let channel, !channel.isWritable else { return 0 }
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    var unreadBytes: Int {
        var count: CInt = 0
        guard phase == .open, ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return unsentBytes }
        return Int(count) + unsentBytes
    }

    /// Straight to the socket: the way through the channel takes longer than all else that a short answer does, and with
    /// a thousand clients most of the time of a picture goes into handing the same few hundred bytes to each. What the
    /// socket does not take, or refuses, and what comes while that is waiting, goes the usual way.
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
        context?.write(wrapOutboundOut(rest), promise: nil)
        flush()
    }

    /// A write that fails reads what the client said last and closes the channel before it returns. The writer is in
    /// the middle of something, so closing has to wait until it is done.
    private func flush() {
        guard let context, let channel else { return }
        isFlushing = true
        context.flush()
        isFlushing = false
        isBlocked = !channel.isWritable
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

    /// Says that nothing more will come, and reads on for a while: closing at once would show a client that is still
    /// sending of a broken pipe rather than let it see the answer.
    private func linger() {
        guard let context else { return }
        context.close(mode: .output, promise: nil)
        resumeInput()
        context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionHandler.lingerTime) { [self] in abort() }
    }
}
