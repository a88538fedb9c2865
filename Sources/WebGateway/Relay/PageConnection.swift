import Logging
import NIOCore
import NIOWebSocket

/// One page: carries its messages to the daemon as lines, and the daemon's lines to it as messages.
final class PageConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let loop: GatewayLoop
    private let address: SocketAddress?
    private let needsToken: Bool
    private var phase: Phase
    private var assembler = MessageAssembler()
    private var heartbeat = Heartbeat()
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private var isReadDelayed = false

    private enum Phase {
        /// Nothing else is listened to before.
        case awaitingToken
        /// The daemon does not know the page yet; what the page said already waits.
        case connecting([ByteBuffer])
        case open(DaemonConnection)
        /// The last frame is on its way.
        case closing
        case closed
    }

    /// Whether the page is here because it had the token.
    var cameByToken: Bool {
        if case .awaitingToken = phase { false } else { needsToken }
    }

    init(loop: GatewayLoop, address: SocketAddress?, needsToken: Bool) {
        self.loop = loop
        self.address = address
        self.needsToken = needsToken
        phase = .awaitingToken
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleHeartbeat(context)
        guard needsToken else { return connect() }
        after(loop.settings.tokenTime) { [self] in close(.tokenLate) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    private func finish() {
        let former = phase
        phase = .closed
        if case .open(let daemon) = former { daemon.close() }
        heartbeat.stop()
        timer?.cancel()
        loop.remove(self)
    }

    // MARK: From the page

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        do throws(PageClose) {
            // Clients mask what they send, and no extension was agreed upon.
            guard frame.maskKey != nil, !(frame.rsv1 || frame.rsv2 || frame.rsv3) else { throw .notUnderstood }
            try receive(frame)
        } catch {
            close(error)
        }
    }

    private func receive(_ frame: WebSocketFrame) throws(PageClose) {
        if case .closing = phase, frame.opcode != .connectionClose { return }
        switch frame.opcode {
        case .text, .binary, .continuation:
            if let message = try assembler.take(frame) { receive(message) }
        case .ping:
            // A page that does not take what it is sent gets no more of it.
            if context?.channel.isWritable ?? false { send(.pong, frame.unmaskedData) }
        case .pong: heartbeat.answered()
        case .connectionClose: closed(by: frame.unmaskedData)
        default: throw .notUnderstood
        }
    }

    private func receive(_ message: ByteBuffer) {
        let authentication = Authentication(message)
        switch phase {
        case .awaitingToken: authenticate(authentication)
        case .connecting(let waiting) where authentication == nil: phase = .connecting(waiting + [message])
        case .open(let daemon) where authentication == nil: daemon.send(message)
        case .connecting, .open, .closing, .closed: break
        }
    }

    private func authenticate(_ authentication: Authentication?) {
        guard let authentication, loop.admits(authentication.token, from: address) else { return close(.tokenWrong) }
        timer?.cancel()
        connect()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .open(let daemon) = phase { daemon.flush() }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: close(.tooLong)
        case is NIOWebSocketError: close(.notUnderstood)
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is EndEvent: close(.ending)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: The daemon

    private func connect() {
        guard loop.admit(self) else { return close(.tooManyPages) }
        phase = .connecting([])
        DaemonConnection.open(for: self, loop: loop)
    }

    /// The daemon knows the page: lines may go both ways. False when the page has gone meanwhile.
    func opened(_ daemon: DaemonConnection) -> Bool {
        guard case .connecting(let waiting) = phase else { return false }
        phase = .open(daemon)
        for message in waiting { daemon.send(message) }
        daemon.flush()
        resumeReading()
        return true
    }

    /// Sends frames, one a line of the daemon.
    func send(_ frames: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(frames), promise: nil)
    }

    // MARK: Room

    /// Whether more of the daemon's lines may come.
    var hasRoom: Bool { context?.channel.isWritable ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, case .open(let daemon) = phase { daemon.resumeReading() }
        context.fireChannelWritabilityChanged()
    }

    /// Whether what the page says can go on.
    private var wantsInput: Bool {
        switch phase {
        case .awaitingToken, .closing, .closed: true
        case .connecting: false
        case .open(let daemon): daemon.hasRoom
        }
    }

    func read(context: ChannelHandlerContext) {
        if wantsInput { context.read() } else { isReadDelayed = true }
    }

    /// Reads on, if that had to wait.
    func resumeReading() {
        guard isReadDelayed, wantsInput else { return }
        isReadDelayed = false
        context?.read()
    }

    // MARK: The end

    /// Closes the connection, and the daemon's with it.
    func close(_ reason: PageClose) {
        let former = phase
        if case .closing = former { return }
        if case .closed = former { return }
        phase = .closing
        if case .open(let daemon) = former { daemon.close() }
        heartbeat.stop()
        timer?.cancel()
        loop.logger.debug("a page is closed: \(reason.reason)")
        send(.connectionClose, reason.payload)
        resumeReading()
        after(loop.settings.closeTime) { [self] in context?.close(promise: nil) }
    }

    /// The page closes the connection, or answers that it was closed.
    private func closed(by payload: ByteBuffer) {
        guard let context else { return }
        if case .closing = phase { return context.close(promise: nil) }
        finish()
        phase = .closing
        var frame = ByteBuffer()
        frame.writeFrame(.connectionClose, PageClose.answer(to: payload))
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    private func scheduleHeartbeat(_ context: ChannelHandlerContext) {
        heartbeat.schedule(context, in: loop.settings.pingInterval) { [self] in
            guard heartbeat.beat() else {
                loop.logger.debug("a page does not answer")
                return context.close(promise: nil)
            }
            send(.ping, ByteBuffer())
            scheduleHeartbeat(context)
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) {
        var frame = ByteBuffer()
        frame.writeFrame(opcode, payload)
        send(frame)
    }

    private func after(_ time: Duration, _ body: @escaping () -> Void) {
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { body() }
    }
}
